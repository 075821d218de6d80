// What scripts ask of the page when they are loaded: which languages it has (hupai/page/files.py puts them there).
globalThis.document = { documentElement: { dataset: { languages: Deno.env.get("LANGUAGES") } } };
globalThis.history = { state: null };
