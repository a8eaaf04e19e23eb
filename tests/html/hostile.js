"use strict";
/* Gives every interface of a pcapng file another name: hostile.js IN OUT NAME. */
const { readFileSync, writeFileSync } = require("node:fs");

const INTERFACE_BLOCK = 1, IF_NAME = 2, END = 0;

function option(code, bytes) {
	const head = Buffer.alloc(4);
	head.writeUInt16LE(code, 0);
	head.writeUInt16LE(bytes.length, 2);
	return Buffer.concat([head, bytes, Buffer.alloc(-bytes.length & 3)]);
}

function options(block, from) {
	const list = [];
	for (let at = from; at + 4 <= block.length - 4;) {
		const code = block.readUInt16LE(at), length = block.readUInt16LE(at + 2);
		if (code === END)
			break;
		list.push({ code, bytes: block.subarray(at + 4, at + 4 + length) });
		at += 4 + length + (-length & 3);
	}
	return list;
}

function renamed(block, name) {
	const kept = options(block, 16).map(({ code, bytes }) =>
		option(code, code === IF_NAME ? Buffer.from(name) : bytes));
	const body = Buffer.concat([block.subarray(8, 16), ...kept, option(END, Buffer.alloc(0))]);
	const head = Buffer.alloc(8), tail = Buffer.alloc(4);
	head.writeUInt32LE(INTERFACE_BLOCK, 0);
	head.writeUInt32LE(body.length + 12, 4);
	tail.writeUInt32LE(body.length + 12, 0);
	return Buffer.concat([head, body, tail]);
}

const [from, to, name] = process.argv.slice(2);
const file = readFileSync(from);
const blocks = [];
for (let at = 0; at < file.length;) {
	const length = file.readUInt32LE(at + 4);
	const block = file.subarray(at, at + length);
	blocks.push(block.readUInt32LE(0) === INTERFACE_BLOCK ? renamed(block, name) : block);
	at += length;
}
writeFileSync(to, Buffer.concat(blocks));
