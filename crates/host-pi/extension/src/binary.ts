// Finds the sidecar's executable.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the executable is, or why there is none. */
export type Found = { path: string; from: string } | { path: undefined; problem: string };

const NAME = process.platform === "win32" ? "innercmd-pi.exe" : "innercmd-pi";
const VARIABLE = "INNERCMD_PI_BINARY";

/** Looks in the environment, then for the platform's package, then in the workspace this extension may lie in. */
export function findBinary(environment: NodeJS.ProcessEnv = process.env): Found {
	const named = environment[VARIABLE];
	if (named) {
		// Who names a file wants that one and no other.
		if (isAbsolute(named) && existsSync(named)) return { path: named, from: VARIABLE };
		return { path: undefined, problem: `${VARIABLE} names no file: set it to an absolute path, or unset it` };
	}
	return platformPackage() ?? workspace() ?? { path: undefined, problem: advice() };
}

function platformPackage(): Found | undefined {
	const name = packageName();
	try {
		const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
		const path = join(dirname(manifest), "bin", NAME);
		return existsSync(path) ? { path, from: name } : undefined;
	} catch {
		return undefined;
	}
}

function workspace(): Found | undefined {
	const crate = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
	if (!existsSync(join(crate, "Cargo.toml"))) return undefined;
	for (const profile of ["release", "debug"]) {
		const path = join(crate, "..", "..", "target", profile, NAME);
		if (existsSync(path)) return { path, from: "the workspace" };
	}
	return undefined;
}

function advice(): string {
	return (
		`no engine for ${process.platform}-${process.arch}: reinstall with optional dependencies (package ${packageName()}), ` +
		`or build it (cargo install innercmd-host-pi) and set ${VARIABLE}`
	);
}

function packageName(): string {
	return `innercmd-pi-${process.platform}-${process.arch}`;
}
