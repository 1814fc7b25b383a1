/** Names that mean this machine or its own network, wherever they are asked. */
const LOCAL_NAMES = [".localhost", ".local", ".internal", ".lan", ".home.arpa", ".intranet", ".corp", ".home"];

/** First addresses and prefix lengths of what is nobody's on the internet: loopback, private, link-local, and the rest. */
const PRIVATE_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
];

/**
 * Why a machine's registered address isn't called (N7); null when it may be, once its owner has approved it.
 * @param allowPrivate a control plane on somebody's own computer may reach that computer's networks; a hosted one never
 */
export function addressProblem(address: string, allowPrivate: boolean): string | null {
  if (!URL.canParse(address)) return "It isn't an address. One looks like https://machine.example.com:7443.";
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "Only http and https addresses can be called.";
  if (url.username !== "" || url.password !== "") return "An address must not hold a name or a password.";
  if (url.search !== "" || url.hash !== "") return "An address must end with its path.";
  if (allowPrivate) return null;
  const where =
    "A hosted control plane calls no loopback, private or link-local address; give one that the internet reaches.";
  return isPrivateHost(url.hostname) ? where : null;
}

/** @param hostname as `URL` writes it: every spelling of an IPv4 address is dotted by then, IPv6 in brackets. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[")) return isPrivateV6(host.slice(1, -1));
  if (/^\d+(\.\d+){3}$/.test(host)) return isPrivateV4(host);
  // A name without a dot is looked up in somebody's own network.
  return !host.includes(".") || LOCAL_NAMES.some((name) => host.endsWith(name));
}

function isPrivateV4(dotted: string): boolean {
  const address = numberOf(dotted);
  return PRIVATE_V4.some(([first, bits]) => address >>> (32 - bits) === numberOf(first) >>> (32 - bits));
}

function numberOf(dotted: string): number {
  return dotted.split(".").reduce((sum, part) => ((sum << 8) | Number(part)) >>> 0, 0);
}

/** Only global unicast (2000::/3) is called; and of that, what carries an IPv4 address inside is judged by it. */
function isPrivateV6(address: string): boolean {
  const groups = groupsOf(address);
  const [a = 0, b = 0] = groups;
  const last = (((groups[6] ?? 0) << 16) | (groups[7] ?? 0)) >>> 0;
  const nat64 = a === 0x64 && b === 0xff9b;
  if (nat64) return isPrivateV4(dottedOf(last));
  if (a === 0x2002) return isPrivateV4(dottedOf(((b << 16) | (groups[2] ?? 0)) >>> 0));
  return a >>> 13 !== 1;
}

function groupsOf(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const parts = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [front, back] = [parts(head), parts(tail ?? "")];
  if (tail === undefined) return front;
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}

function dottedOf(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
}
