import assert from "node:assert/strict";
import { test } from "node:test";
import { Nonsense } from "../src/protocol.ts";
import { Peer, Refused } from "../src/rpc.ts";

function pair(serve: (method: string, params: unknown) => unknown = () => undefined) {
	const sent: { [name: string]: unknown }[] = [];
	const peer = new Peer((line) => sent.push(JSON.parse(line)), serve);
	return { peer, sent, say: (message: object) => peer.take(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)) };
}

test("answers find their requests in any order", async () => {
	const { peer, say } = pair();
	const [one, two] = [peer.request("a", {}), peer.request("b", {})];
	say({ id: two.id, result: 2 });
	say({ id: one.id, result: 1 });
	assert.deepEqual(await Promise.all([one.answer, two.answer]), [1, 2]);
});

test("a line may come in pieces, and several at once", async () => {
	const { peer } = pair();
	const request = peer.request("a", {});
	const bytes = Buffer.from(`\n{"jsonrpc":"2.0","id":${request.id},"result":"é\u2028"}\n{"jsonrpc":"2.0","id":9,"result":0}\n`);
	for (const byte of bytes) peer.take(Buffer.from([byte]));
	assert.equal(await request.answer, "é\u2028");
});

test("an error is a refusal with its code", async () => {
	const { peer, say } = pair();
	const request = peer.request("a", {});
	say({ id: request.id, error: { code: -32004, message: "no" } });
	await assert.rejects(request.answer, (error) => error instanceof Refused && error.code === -32004);
});

test("a request that is given up is cancelled, and its late answer ignored", async () => {
	const { peer, sent, say } = pair();
	const request = peer.request("a", {});
	peer.cancel(request.id, new Error("late"));
	await assert.rejects(request.answer, /late/);
	assert.deepEqual(sent.at(-1), { jsonrpc: "2.0", method: "$/cancelRequest", params: { id: request.id } });
	say({ id: request.id, result: { verdict: "allow" } });
});

test("a call of the sidecar is answered, also where it fails", () => {
	const { sent, say } = pair((method) => {
		if (method === "ok") return { state: "ask" };
		throw new Error("\ud800 failed");
	});
	say({ id: 1, method: "ok", params: {} });
	say({ id: 2, method: "bad", params: {} });
	say({ method: "ok", params: {} });
	assert.deepEqual(sent, [
		{ jsonrpc: "2.0", id: 1, result: { state: "ask" } },
		{ jsonrpc: "2.0", id: 2, error: { code: -32603, message: "\ufffd failed" } },
	]);
});

for (const line of ["nonsense", "[]", "1", '{"id":1,"result":1}', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}']) {
	test(`${line} is nonsense`, () => {
		const { peer } = pair();
		assert.throws(() => peer.take(Buffer.from(`${line}\n`)), Nonsense);
	});
}

test("a line without an end is nonsense", () => {
	const { peer } = pair();
	const piece = Buffer.alloc(1 << 20, "x");
	assert.throws(() => {
		for (let count = 0; count < 20; count++) peer.take(piece);
	}, Nonsense);
});
