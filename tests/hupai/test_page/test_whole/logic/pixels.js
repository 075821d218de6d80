// Prints what the page makes of a picture of noise, as hashes: resized, cut into crops, turned, inverted.
import { createHash } from "node:crypto";
import { cropsOf, turned } from "#js/api/python/crops.js";
import { negativeOf } from "#js/api/python/negative.js";
import { resized } from "#js/api/python/pixels.js";

const NOISE = 3 << 20; // bytes, before what is asked
const noise = new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
const asked = JSON.parse(new TextDecoder().decode(noise.subarray(NOISE)));
const { sizes, quads, size: [width, height], margin } = asked;
const picture = (wide, high) => ({ width: wide, height: high, data: noise.subarray(0, wide * high * 3) });
const crops = cropsOf(picture(1000, 700), Float32Array.from(quads), [width, height], margin);
const crop = { width, height, data: crops.slice(0, width * height * 3) };
const made = [
  ...sizes.map(([wide, high, ...to]) => resized(picture(wide, high), ...to)),
  { data: crops },
  ...[1, 2, 3].map((quarters) => turned(crop, quarters)),
  negativeOf(picture(1024, 1024)),
];
console.log(JSON.stringify(made.map(({ data }) => createHash("sha256").update(data).digest("hex"))));
