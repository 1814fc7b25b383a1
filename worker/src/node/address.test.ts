import { describe, expect, it } from "vitest";
import { addressProblem } from "./address.ts";

describe("N7: which addresses a control plane calls", () => {
  it.each([
    "http://127.0.0.1:7000",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001/",
    "http://0177.0.0.1",
    "http://localhost:80",
    "http://me.localhost",
    "http://LOCALHOST.",
    "http://10.1.2.3",
    "http://172.31.0.1",
    "http://192.168.1.9:8443/a",
    "http://169.254.169.254/latest",
    "http://100.64.0.1",
    "http://0.0.0.0",
    "http://224.0.0.1",
    "http://255.255.255.255",
    "http://[::1]",
    "http://[::]",
    "http://[::ffff:127.0.0.1]",
    "http://[fe80::1]",
    "http://[fd00::1]",
    "http://[64:ff9b::7f00:1]",
    "http://[2002:7f00:1::]",
    "http://router",
    "http://nas.local",
    "http://metadata.google.internal",
  ])("N7: never %s from a hosted one; a self-run one may", (address) => {
    expect(addressProblem(address, false)).toMatch(/loopback, private or link-local/);
    expect(addressProblem(address, true)).toBeNull();
  });

  it.each([
    "https://machine.example.com:7443",
    "http://8.8.8.8",
    "http://172.32.0.1",
    "http://100.128.0.1",
    "http://[2606:4700::1111]/agentctl",
    "http://[2002:808:808::]",
  ])("N7: %s", (address) => {
    expect(addressProblem(address, false)).toBeNull();
  });

  it.each([
    "not one",
    "ftp://x.example.com",
    "file:///etc/passwd",
    "https://a:b@x.example.com",
    "https://x.example.com/?a=1",
    "https://x.example.com/#a",
  ])("S6: %s is refused in words everywhere", (address) => {
    expect(addressProblem(address, true)).toMatch(/\.$/);
  });
});
