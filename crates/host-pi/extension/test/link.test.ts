import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Engine, Terms } from "../src/engine.ts";
import { History } from "../src/history.ts";
import { Link } from "../src/link.ts";
import type { Shell } from "../src/shell.ts";
import type { Authorize, LinkLog, Query, Verdict } from "../src/service.ts";

const SLOT = Symbol.for("@gotgenes/pi-permission-system:service");
const slots = globalThis as { [slot: symbol]: unknown };
const bash: Shell = { path: null, isBash: true, hasPrefix: false };
const query: Query = { checkPermission: () => ({ state: "ask" }) };
const log: LinkLog = { review: () => {}, debug: () => {} };

afterEach(() => {
	delete slots[SLOT];
});

/** A link whose engine answers `answer`, in a session whose id is what `session.id` says. */
function bench(answer: (params: { [name: string]: unknown }, terms: Terms) => unknown, shell = bash) {
	const session = { id: "s", hasUI: true, signal: undefined as AbortSignal | undefined };
	const context = {
		get hasUI() {
			return session.hasUI;
		},
		get signal() {
			return session.signal;
		},
		sessionManager: { getSessionId: () => session.id, getEntries: () => [] },
	} as unknown as ExtensionContext;
	const engine = { ask: async (_: string, params: object, terms: Terms) => answer({ ...params }, terms) } as unknown as Engine;
	const registered: Authorize[] = [];
	const service = {
		registerAuthorizer(_name: string, authorize: Authorize) {
			registered.push(authorize);
			return () => void registered.splice(registered.indexOf(authorize), 1);
		},
	};
	slots[SLOT] = service;
	const link = () => new Link(engine, new History(), context, shell);
	const authorize = (details: unknown): Promise<Verdict> => registered[0]?.(details, query, log) as Promise<Verdict>;
	return { session, link, registered, authorize };
}

const details = { requestId: "perm-1", command: "timeout 1 true" };
const allow = { verdict: "allow", code: "authorizer:inner-allowed", requestId: "perm-1", findings: [] };

test("an allow for this request is an allow", async () => {
	const { link, authorize } = bench(() => allow);
	link().register();
	assert.deepEqual(await authorize(details), { kind: "allow" });
});

test("a deny brings its reason", async () => {
	const { link, authorize } = bench(() => ({ ...allow, verdict: "deny", code: "a:b", reason: "no" }));
	link().register();
	assert.deepEqual(await authorize(details), { kind: "deny", reason: "no" });
});

const deferred: [string, () => Promise<Verdict>][] = [
	["an engine that fails", async () => ask(() => Promise.reject(new Error("gone")))],
	["an answer for another request", async () => ask(() => ({ ...allow, requestId: "perm-2" }))],
	["nonsense", async () => ask(() => ({ verdict: "allow" }))],
	["nothing", async () => ask(() => undefined)],
	["details that are no JSON", async () => ask(() => allow, { requestId: "perm-1", big: 1n })],
	["details that are circular", async () => ask(() => allow, circular())],
	["no details", async () => ask(() => ({ ...allow, requestId: "undefined" }), undefined)],
];
for (const [name, run] of deferred) {
	test(`${name} is a defer`, async () => assert.deepEqual(await run(), { kind: "defer" }));
}

test("an allow that comes for another session is a defer", async () => {
	const at = bench(() => {
		at.session.id = "t";
		return allow;
	});
	at.link().register();
	assert.deepEqual(await at.authorize(details), { kind: "defer" });
});

test("an allow that comes after the registration ended is a defer", async () => {
	const at = bench(() => {
		link.dispose();
		return allow;
	});
	const link = at.link();
	link.register();
	assert.deepEqual(await at.authorize(details), { kind: "defer" });
});

test("an allow that comes after an abort is a defer", async () => {
	const abort = new AbortController();
	const at = bench(() => {
		abort.abort();
		return allow;
	});
	at.session.signal = abort.signal;
	at.link().register();
	assert.deepEqual(await at.authorize(details), { kind: "defer" });
});

test("an allow for another shell than bash is a defer", async () => {
	const { link, authorize } = bench(() => allow, { ...bash, path: "/bin/zsh", isBash: false });
	link().register();
	assert.deepEqual(await authorize(details), { kind: "defer" });
});

test("details stay as they are", async () => {
	const { link, authorize } = bench(() => allow);
	link().register();
	const frozen = Object.freeze({ ...details });
	assert.deepEqual(await authorize(frozen), { kind: "allow" });
});

test("the engine's questions go to the ask's own query", async () => {
	let terms: Terms | undefined;
	const { link, authorize } = bench((_, given) => {
		terms = given;
		return allow;
	});
	link().register();
	await authorize(details);
	assert.deepEqual(terms?.host?.["host/checkPermission"]?.({ surface: "bash", value: "true" }), { state: "ask" });
	assert.equal(terms?.host?.["host/sessionId"]?.({}), "s");
});

test("it registers once, and again with a service that took the place of the old", () => {
	const { link, registered } = bench(() => allow);
	const one = link();
	assert.equal(one.register(), "registered");
	assert.equal(one.register(), "registered");
	assert.equal(registered.length, 1);
	slots[SLOT] = { ...(slots[SLOT] as object) };
	assert.equal(one.register(), "registered");
	assert.equal(registered.length, 1);
	one.dispose();
	one.dispose();
	assert.equal(registered.length, 0);
});

test("it does not register without a user interface, a session or a chain", () => {
	const at = bench(() => allow);
	at.session.hasUI = false;
	assert.equal(at.link().register(), "not-root");
	at.session.hasUI = true;
	at.session.id = " ";
	assert.equal(at.link().register(), "not-root");
	at.session.id = "s";
	slots[SLOT] = {};
	assert.equal(at.link().register(), "no-chain");
	delete slots[SLOT];
	assert.equal(at.link().register(), "no-service");
});

test("a name that is taken is no failure of the session", () => {
	const { link } = bench(() => allow);
	slots[SLOT] = {
		registerAuthorizer() {
			throw new Error("taken");
		},
	};
	assert.deepEqual(link().register(), { refused: "taken" });
});

async function ask(answer: () => unknown, given: unknown = details): Promise<Verdict> {
	const { link, authorize } = bench(answer);
	link().register();
	return authorize(given);
}

function circular(): object {
	const value: { self?: object } = {};
	value.self = value;
	return value;
}
