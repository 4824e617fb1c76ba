// The types of the sidecar protocol, as docs/protocol.md has them, and the functions that read what the sidecar says.
//
// INVARIANT: nothing the sidecar says is used before a `read…` function of this file has found it well-formed.

/** The version of the protocol this extension speaks. */
export const PROTOCOL = 1;

/** What `link/authorize` comes to. */
export type LinkAnswer =
	| { verdict: "allow"; code: string; requestId: string; inner?: string }
	| { verdict: "deny"; code: string; requestId: string; reason: string; inner?: string }
	| { verdict: "defer"; code: string; reason?: string };

/** What `gate/decide` comes to. */
export type GateDecision = {
	decision: "allow" | "ask" | "deny";
	ticket: string;
	code: string;
	reason?: string;
	units: GateUnit[];
	notes: string[];
};

/** One unit of a command, as the gate judged it. */
export type GateUnit = { text: string; decision: string; rule?: string };

/** What `gate/settle` comes to. */
export type GateSettled = { decision: "allow" | "deny"; code: string; reason?: string };

/** What the user chose, or why there was no choice. */
export type Choice = "once" | "session" | "deny" | "unavailable" | "aborted";

/** A policy file. */
export type Source = { origin: "global" | "project" | "agent" | "project-agent"; path: string };

/** What `gate/open` comes to. */
export type GateOpened = { sources: SourceReport[]; builtin: boolean };

/** What became of a policy file. */
export type SourceReport = { origin: string; path: string; state: string; problems: string[] };

/** The sidecar said something that the protocol has no place for. */
export class Nonsense extends Error {}

type Fields = { [name: string]: unknown };

/** Reads the result of `initialize`: the version of the engine. */
export function readInitialized(value: unknown): string {
	const fields = object(value, "initialize");
	if (fields["protocol"] !== PROTOCOL) throw new Nonsense(`the engine speaks protocol ${String(fields["protocol"])}`);
	return text(object(fields["engine"], "engine"), "version");
}

/** Reads the result of `link/authorize`. */
export function readLinkAnswer(value: unknown): LinkAnswer {
	const fields = object(value, "link/authorize");
	const code = text(fields, "code");
	const inner = optionalText(fields, "inner");
	switch (fields["verdict"]) {
		case "allow":
			// The one code an allow can have; anything else contradicts itself.
			if (code !== "authorizer:inner-allowed") throw new Nonsense(`allow for ${code}`);
			return { verdict: "allow", code, requestId: text(fields, "requestId"), ...(inner && { inner }) };
		case "deny":
			return {
				verdict: "deny",
				code,
				requestId: text(fields, "requestId"),
				reason: text(fields, "reason"),
				...(inner && { inner }),
			};
		case "defer":
			return { verdict: "defer", code };
		default:
			throw new Nonsense("no such verdict");
	}
}

/** Reads the result of `gate/decide`. */
export function readGateDecision(value: unknown): GateDecision {
	const fields = object(value, "gate/decide");
	const decision = fields["decision"];
	if (decision !== "allow" && decision !== "ask" && decision !== "deny") throw new Nonsense("no such decision");
	const reason = optionalText(fields, "reason");
	if (decision === "deny" && !reason) throw new Nonsense("a deny without a reason");
	return {
		decision,
		ticket: text(fields, "ticket"),
		code: text(fields, "code"),
		...(reason && { reason }),
		units: list(fields, "units").map(readUnit),
		notes: list(fields, "findings").map((finding) => text(object(finding, "finding"), "code")),
	};
}

/** Reads the result of `gate/settle`. */
export function readGateSettled(value: unknown): GateSettled {
	const fields = object(value, "gate/settle");
	const decision = fields["decision"];
	const code = text(fields, "code");
	if (decision === "allow") return { decision, code };
	if (decision === "deny") return { decision, code, reason: text(fields, "reason") };
	throw new Nonsense("no such decision");
}

/** Reads the result of `gate/open`. */
export function readGateOpened(value: unknown): GateOpened {
	const fields = object(value, "gate/open");
	if (typeof fields["builtin"] !== "boolean") throw new Nonsense("builtin is missing");
	const sources = list(fields, "sources").map((source) => {
		const report = object(source, "source");
		return {
			origin: text(report, "origin"),
			path: text(report, "path"),
			state: text(report, "state"),
			problems: list(report, "problems").map(String),
		};
	});
	return { sources, builtin: fields["builtin"] };
}

function readUnit(value: unknown): GateUnit {
	const fields = object(value, "unit");
	const rule = fields["rule"] == null ? undefined : object(fields["rule"], "rule");
	const named = rule && [optionalText(rule, "pattern"), optionalText(rule, "origin")].filter(Boolean).join(", ");
	return { text: String(fields["text"]), decision: text(fields, "decision"), ...(named && { rule: named }) };
}

/** The fields of an object. */
export function object(value: unknown, what: string): Fields {
	if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Nonsense(`${what} is no object`);
	return value as Fields;
}

function text(fields: Fields, name: string): string {
	const value = fields[name];
	if (typeof value !== "string" || value.trim() === "") throw new Nonsense(`${name} is no text`);
	return value;
}

function optionalText(fields: Fields, name: string): string | undefined {
	return fields[name] == null ? undefined : text(fields, name);
}

function list(fields: Fields, name: string): unknown[] {
	const value = fields[name];
	if (!Array.isArray(value)) throw new Nonsense(`${name} is no list`);
	return value;
}
