// Lets Node load the sources of pi-permission-system as they are published: TypeScript, without file name extensions.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

// Of Pi itself the decision code needs the name of a directory, for files that are not read here.
const pi = "export const getAgentDir = () => '/nowhere'; export const getPackageDir = () => '/nowhere';";
const stub = `data:text/javascript,${encodeURIComponent(pi)}`;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("@earendil-works/")) return { url: stub, shortCircuit: true };
    const own = /^(#src\/|\.\.?\/)/.test(specifier) && context.parentURL?.endsWith(".ts");
    return next(own && !specifier.endsWith(".ts") ? `${specifier}.ts` : specifier, context);
  },
  load(url, context, next) {
    if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"), { mode: "transform" });
    return { format: "module", source, shortCircuit: true };
  },
});
