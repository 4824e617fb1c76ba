import assert from "node:assert/strict";
import { test } from "node:test";
import { Nonsense, readGateDecision, readGateOpened, readGateSettled, readInitialized, readLinkAnswer } from "../src/protocol.ts";

const allow = { verdict: "allow", code: "authorizer:inner-allowed", requestId: "perm-1", findings: [] };
const deny = { verdict: "deny", code: "authorizer:inner-denied", requestId: "perm-1", reason: "no" };
const ask = { decision: "ask", ticket: "t", code: "policy:ask", units: [], findings: [] };

test("a well-formed answer of each kind is read", () => {
	assert.equal(readLinkAnswer(allow).verdict, "allow");
	assert.equal(readLinkAnswer(deny).verdict, "deny");
	assert.equal(readLinkAnswer({ verdict: "defer", code: "a:b" }).verdict, "defer");
	assert.equal(readGateDecision(ask).decision, "ask");
	assert.equal(readGateSettled({ decision: "allow", code: "a:b" }).decision, "allow");
	assert.equal(readInitialized({ protocol: 1, engine: { name: "e", version: "1" } }), "1");
	assert.equal(readGateOpened({ sources: [], builtin: true }).builtin, true);
});

test("a rule is told by its pattern and origin", () => {
	const units = [{ text: "git push", decision: "ask", rule: { surface: "bash", pattern: "git *", origin: "global" } }];
	assert.equal(readGateDecision({ ...ask, units }).units[0]?.rule, "git *, global");
});

const nonsense: [string, () => unknown][] = [
	["null", () => readLinkAnswer(null)],
	["a text", () => readLinkAnswer("allow")],
	["a list", () => readLinkAnswer([allow])],
	["no verdict", () => readLinkAnswer({ ...allow, verdict: undefined })],
	["an unknown verdict", () => readLinkAnswer({ ...allow, verdict: "ALLOW" })],
	["an allow without a request", () => readLinkAnswer({ ...allow, requestId: undefined })],
	["an allow with another code", () => readLinkAnswer({ ...allow, code: "authorizer:inner-ask" })],
	["a deny without a reason", () => readLinkAnswer({ ...deny, reason: undefined })],
	["a deny with a blank reason", () => readLinkAnswer({ ...deny, reason: " " })],
	["a decision without a ticket", () => readGateDecision({ ...ask, ticket: undefined })],
	["an unknown decision", () => readGateDecision({ ...ask, decision: "defer" })],
	["units that are no list", () => readGateDecision({ ...ask, units: {} })],
	["a gate's deny without a reason", () => readGateDecision({ ...ask, decision: "deny" })],
	["a settled ask", () => readGateSettled({ decision: "ask", code: "a:b" })],
	["another protocol", () => readInitialized({ protocol: 2, engine: { version: "1" } })],
	["a gate that does not say what is in force", () => readGateOpened({ sources: [] })],
];
for (const [name, read] of nonsense) {
	test(`${name} is nonsense`, () => assert.throws(read, Nonsense));
}
