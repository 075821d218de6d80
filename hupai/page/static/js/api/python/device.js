// What a reading asks of this machine (vision/device.py says what): photos by canvas, networks by onnxruntime-web. Numbers
// cross as flat arrays; pixels and crops stay here. What is looked at, and what it means, is decided in Python.
import { cropsOf, turned } from "./crops.js";
import { negativeOf } from "./negative.js";
import { padded, part, Photo, resized } from "./pixels.js";

/** @typedef {import("./pixels.js").Picture} Picture */
/** @typedef {import("./apart.js").NetworksApart} Networks */
/** @typedef {import("./networks.js").Given} Given */
/** @typedef {Pick<Networks, "run"> & {lacks: (name: string) => Promise<boolean>}} Runs */

const BATCH = 32; // crops that a network takes at once; more would only take memory

/** @type {(number: number) => Given} */
const scalar = (number) => [Float32Array.of(number), []];

export class Device {
  /**
   * @param {Networks} networks
   * @param {any} metadata of them
   */
  constructor(networks, metadata) {
    this.networks = networks;
    this.metadata = JSON.stringify(metadata);
    this.detector = metadata.detector;
    this.opened = 0; // photos
    this.early = false; // whether the open photo is read without a network that is still on its way
    this.lacking = false; // whether it has been
  }

  /** @param {Record<string, Float32Array>} measured */
  async scene(measured) {
    const n = measured.located.length;
    /** @type {Record<string, number[]>} */
    const shapes = {
      quads: [n, 4, 2],
      inside: [n],
      located: [n],
      kinds: [measured.kinds.length / 5, 5],
    };
    /** @type {Record<string, Given>} */
    const given = {};
    for (const [name, data] of Object.entries(measured)) given[name] = [data, shapes[name] ?? [n, data.length / n]];
    /** @type {Record<string, Given>} */
    const inputs = { emb: given.embeddings };
    const found = await this.networks.run("measures", given);
    for (const [name, { data, dims }] of Object.entries(found)) inputs[name] = [data, dims];
    const { tile, names } = await this.networks.run("scene", inputs);
    return [tile.data, names.data];
  }

  /**
   * A photo, or undefined (Python's None) where this browser cannot show it; the one before is not read to its end.
   * @param {Blob} file
   * @param {boolean} early
   */
  async open(file, early) {
    const turn = ++this.opened;
    [this.early, this.lacking] = [early, false];
    /** @type {Networks["run"]} */
    const run = (...given) => {
      if (turn !== this.opened) throw new Error("another photo has been opened");
      return this.networks.run(...given);
    };
    const lacks = async (/** @type {string} */ name) => {
      if (!this.early || (await this.networks.has(name)) || turn !== this.opened) return false;
      this.lacking = true;
      this.networks.load(name).catch(() => {}); // whoever runs it hears of that
      return true;
    };
    try {
      return new DevicePhoto({ networks: { run, lacks }, detector: this.detector }, await Photo.open(file));
    } catch (error) {
      if (error instanceof DOMException) return undefined;
      throw error;
    }
  }
}

class DevicePhoto {
  /**
   * @param {{networks: Runs, detector: any}} device
   * @param {{width: number, height: number, view: (side: number) => Promise<Picture>}} photo
   */
  constructor(device, photo) {
    this.device = device;
    this.photo = photo;
    this.width = photo.width;
    this.height = photo.height;
  }

  async view(/** @type {number} */ side) {
    return new DeviceView(this.device, await this.photo.view(side));
  }

  async negative(/** @type {number} */ side) {
    const view = await this.photo.view(side);
    const by = Math.max(1, Math.floor(Math.max(view.width, view.height) / side));
    const negative = negativeOf(resized(view, Math.floor(view.width / by), Math.floor(view.height / by)));
    const { width, height } = negative;
    return new DevicePhoto(this.device, { width, height, view: () => Promise.resolve(negative) });
  }
}

class DeviceView {
  /**
   * @param {{networks: Runs, detector: any}} device
   * @param {Picture} picture
   */
  constructor(device, picture) {
    this.device = device;
    this.picture = picture;
    this.width = picture.width;
    this.height = picture.height;
  }

  /**
   * @param {number[]} window
   * @param {number} width
   * @param {number} height
   */
  async detect(window, width, height) {
    const { networks, detector: { multiple, stride, unit } } = this.device;
    const { data, ...shown } = padded(resized(part(this.picture, window), width, height), multiple);
    const image = /** @type {Given} */ ([data, [1, shown.height, shown.width, 3]]);
    const { kernel, geo } = await networks.run("detector", { image });
    const cells = await networks.run("cells", {
      kernel: [kernel.data, kernel.dims],
      geo: [geo.data, geo.dims],
      stride: scalar(stride),
      unit: scalar(unit),
    });
    return [cells.codes.data, cells.sure.data, Array.from(cells.ends.data, Number)];
  }

  /**
   * @param {Float32Array} quads
   * @param {number[]} size
   * @param {number} margin
   */
  crop(quads, size, margin) {
    return new DeviceCrops(this.device.networks, cropsOf(this.picture, quads, size, margin), size);
  }
}

class DeviceCrops {
  /**
   * @param {Runs} networks
   * @param {Uint8Array} data one crop after the other
   * @param {number[]} size width and height of each
   */
  constructor(networks, data, [width, height]) {
    this.networks = networks;
    this.data = data;
    this.width = width;
    this.height = height;
  }

  /** @type {(data: Uint8Array) => {crops: Given}} */
  #given(data) {
    const { width, height } = this;
    return { crops: [data, [data.length / (height * width * 3), height, width, 3]] };
  }

  /**
   * Some crops, each turned by so many quarters.
   * @param {number[]} rows
   * @param {number[]} quarters
   */
  #posed(rows, quarters) {
    const { width, height } = this;
    const bytes = width * height * 3;
    const posed = new Uint8Array(rows.length * bytes);
    rows.forEach((row, i) => {
      const crop = { width, height, data: this.data.subarray(row * bytes, (row + 1) * bytes) };
      posed.set(turned(crop, quarters[i]).data, i * bytes);
    });
    return posed;
  }

  /**
   * @param {string} role
   * @param {string[]} outputs
   * @param {number[]} rows
   * @param {number[]} quarters
   */
  async look(role, outputs, rows, quarters) {
    if (role === "bonus" && (await this.networks.lacks(role))) return [];
    /** @type {number[][]} */
    const found = outputs.map(() => []);
    for (let start = 0; start < rows.length; start += BATCH) {
      const [some, by] = [rows, quarters].map((all) => all.slice(start, start + BATCH));
      const given = await this.networks.run(role, this.#given(this.#posed(some, by)), outputs);
      outputs.forEach((name, i) => found[i].push(...given[name].data));
    }
    return found.map((numbers) => Float32Array.from(numbers));
  }

  colours() {
    return this.#measured("colours");
  }

  prints() {
    return this.#measured("prints");
  }

  // What a graph says of every crop; of none it would divide by zero.
  async #measured(/** @type {string} */ name) {
    if (!this.data.length) return new Float32Array();
    return (await this.networks.run(name, this.#given(this.data)))[name].data;
  }
}
