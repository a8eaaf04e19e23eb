"use strict";
/* A headless Chromium that is told what to do through a pipe (DevTools protocol). */
const { spawn } = require("node:child_process");
const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");

const ANSWER_MS = 60000;

class Browser {
	constructor(program) {
		this.home = mkdtempSync(path.join(tmpdir(), "cellbench-chromium-"));
		const options = [
			"--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
			"--disable-background-networking", "--disable-component-update",
			"--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
			`--user-data-dir=${this.home}`, "about:blank",
		];
		this.child = spawn(program, options, {
			stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
			env: { ...process.env, HOME: this.home },
		});
		this.ended = new Promise((resolve) => this.child.on("exit", resolve));
		this.child.on("error", (error) => this.fail(error));
		this.child.on("exit", () => this.fail(new Error("chromium ended")));
		for (const pipe of [this.child.stdio[3], this.child.stdio[4]])
			pipe.on("error", (error) => this.fail(error));
		this.waiting = new Map();
		this.listeners = [];
		this.next = 1;
		this.rest = "";
		this.child.stdio[4].setEncoding("utf8");
		this.child.stdio[4].on("data", (text) => this.take(text));
	}

	fail(error) {
		for (const { reject } of this.waiting.values())
			reject(error);
		this.waiting.clear();
	}

	take(text) {
		const parts = (this.rest + text).split("\0");
		this.rest = parts.pop();
		for (const part of parts) {
			const message = JSON.parse(part);
			const waiter = this.waiting.get(message.id);
			if (!waiter) {
				for (const listener of this.listeners)
					listener(message);
				continue;
			}
			this.waiting.delete(message.id);
			if (message.error)
				waiter.reject(new Error(`${waiter.method}: ${message.error.message}`));
			else
				waiter.resolve(message.result);
		}
	}

	send(method, params = {}, sessionId = undefined) {
		const id = this.next++;
		const timer = setTimeout(() => this.fail(new Error(`${method}: no answer`)), ANSWER_MS);
		return new Promise((resolve, reject) => {
			this.waiting.set(id, { resolve, reject, method });
			this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
		}).finally(() => clearTimeout(timer));
	}

	/* A new tab, with what it did that matters: {send, evaluate, errors, requests, dialogs}. */
	async open() {
		const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
		const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
		const tab = { errors: [], requests: [], dialogs: [] };
		tab.send = (method, params) => this.send(method, params, sessionId);
		this.listeners.push((message) => {
			if (message.sessionId === sessionId)
				note(tab, message);
		});
		for (const domain of ["Page", "Runtime", "Network", "Log"])
			await tab.send(`${domain}.enable`);
		tab.evaluate = async (expression) => {
			const answer = await tab.send("Runtime.evaluate",
				{ expression, returnByValue: true, awaitPromise: true });
			if (answer.exceptionDetails)
				throw new Error(answer.exceptionDetails.exception.description);
			return answer.result.value;
		};
		tab.close = () => this.send("Target.closeTarget", { targetId });
		return tab;
	}

	async close() {
		await this.send("Browser.close").catch(() => this.child.kill("SIGKILL"));
		await this.ended;
		rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
}

function note(tab, { method, params }) {
	if (method === "Runtime.exceptionThrown")
		tab.errors.push(params.exceptionDetails.exception?.description ||
			params.exceptionDetails.text);
	else if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type))
		tab.errors.push(params.args.map((arg) => arg.value).join(" "));
	else if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level))
		tab.errors.push(params.entry.text);
	else if (method === "Network.requestWillBeSent")
		tab.requests.push(params.request.url);
	else if (method === "Page.javascriptDialogOpening") {
		tab.dialogs.push(params.message);
		tab.send("Page.handleJavaScriptDialog", { accept: true });
	} else if (method === "Page.loadEventFired") {
		tab.loaded?.();
	}
}

/* Loads a page in this width and colour scheme ("light", "dark"). */
async function load(tab, url, width, scheme) {
	await tab.send("Emulation.setDeviceMetricsOverride",
		{ width, height: 900, deviceScaleFactor: 1, mobile: width < 600 });
	await tab.send("Emulation.setEmulatedMedia",
		{ features: [{ name: "prefers-color-scheme", value: scheme }] });
	const loaded = new Promise((resolve) => { tab.loaded = resolve; });
	await tab.send("Page.navigate", { url });
	await loaded;
	/* two frames: all that was drawn is there */
	await tab.evaluate("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))");
}

/* A PNG of a part of the page, or of all of it. */
async function screenshot(tab, clip = undefined) {
	const size = clip || await tab.evaluate("({x: 0, y: 0, " +
		"width: document.documentElement.clientWidth, " +
		"height: document.documentElement.scrollHeight})");
	const { data } = await tab.send("Page.captureScreenshot",
		{ captureBeyondViewport: true, clip: { ...size, scale: 1 } });
	return Buffer.from(data, "base64");
}

module.exports = { Browser, load, screenshot };
