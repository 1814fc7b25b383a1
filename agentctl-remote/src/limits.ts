import { z } from "zod";

/**
 * Every limit, time-out and interval of daemon and host, each with its reason. Tests shorten them with the environment
 * variable REPRISE_LIMITS (JSON by name): never logic, only numbers.
 */
const overrides = z
  .record(z.string(), z.number().nonnegative())
  .parse(JSON.parse(process.env["REPRISE_LIMITS"] ?? "{}"));

function limit(name: string, value: number): number {
  return overrides[name] ?? value;
}

// ---- link (daemon to control plane)
/** N4: look-up, TCP, TLS and upgrade together; longer means that nobody is there. */
export const CONNECT_LIMIT_MS = limit("CONNECT_LIMIT_MS", 10_000);
/** N4: from an open socket to the welcome; a cold control plane answers within a few. */
export const HELLO_LIMIT_MS = limit("HELLO_LIMIT_MS", 15_000);
/**
 * N3: while plain HTTP carries us, a socket must answer and then hold this long before it takes over. Twice this is well
 * below the time that the control plane gives an open socket to say hello (20 s).
 */
export const PROVE_MS = limit("PROVE_MS", 7_000);
/** N3: between two POSTs while something goes on: what a person waits for. */
export const POST_BUSY_MS = limit("POST_BUSY_MS", 1_000);
/** N3: between two POSTs of an idle node: each wakes its object. */
export const POST_IDLE_MS = limit("POST_IDLE_MS", 3_000);
/** N3: so long after the last frame, nothing goes on. */
export const POST_BUSY_FOR_MS = limit("POST_BUSY_FOR_MS", 30_000);
/** N3: frames that come together travel together: streamed text at four steps a second. */
export const POST_GATHER_MS = limit("POST_GATHER_MS", 250);
/** N3: frames in one POST, and their bytes: the control plane takes 200 and 1 MiB. */
export const MAX_POST_FRAMES = 150;
export const MAX_POST_BYTES = 900 * 1024;
/** N3: an answer's bytes; a welcome with all waiting commands is the largest. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** N2: the control plane's lease is 90 s; three of these fit. */
export const PING_INTERVAL_MS = limit("PING_INTERVAL_MS", 30_000);
/** N2: two pings unanswered, and some: the socket is dead. */
export const SILENCE_LIMIT_MS = limit("SILENCE_LIMIT_MS", 75_000);
/** N4: a link that lasted this long was healthy, so the next loss starts the schedule afresh. */
export const HEALTHY_AFTER_MS = limit("HEALTHY_AFTER_MS", 10_000);
/** N5: after a refusal that only a person can change. */
export const SLOW_RETRY_MS = limit("SLOW_RETRY_MS", 60_000);
/** N5: a daemon that was replaced asks again this often. */
export const YIELD_RETRY_MS = limit("YIELD_RETRY_MS", 60_000);
/** N4: how often the clock is compared with itself; a sleep is noticed this soon after waking. */
export const SLEEP_TICK_MS = limit("SLEEP_TICK_MS", 2_000);
/** N4: a jump of the clock beyond this was a sleep, and every socket is suspect. */
export const SLEEP_JUMP_MS = limit("SLEEP_JUMP_MS", 5_000);

// ---- host: its folder and socket ----

/** The kernel's `sun_path` is 104 bytes on macOS, 108 on Linux; longer ones bind silently elsewhere (X7). */
export const MAX_SOCKET_PATH_BYTES = 103;
/** Space kept back in the session's folder, so that a full disk takes no accepted prompt (P5). */
export const SPOOL_RESERVE_BYTES = limit("SPOOL_RESERVE_BYTES", 4 * 1024 * 1024);
/** A host that did not answer the daemon's hello within this is `unknown`, never dead (T3). */
export const HOST_HELLO_MS = limit("HOST_HELLO_MS", 5_000);
/** Unread bytes for one daemon; then the host stops reading the spool for it until the socket drains. */
export const DAEMON_BUFFER_BYTES = limit("DAEMON_BUFFER_BYTES", 4 * 1024 * 1024);
/** A workspace-only host that nobody used for so long ends itself; it is started again on demand (X6). */
export const WORKSPACE_IDLE_MS = limit("WORKSPACE_IDLE_MS", 60 * 60_000);
/** How many ids of prompts a host remembers (P1): far more than any queue that could be sent again. */
export const KNOWN_PROMPTS = limit("KNOWN_PROMPTS", 10_000);

// ---- host: the agent ----

/** From the spawn to the answer of `initialize`: a first `npx` downloads its package. */
export const AGENT_INIT_MS = limit("AGENT_INIT_MS", 180_000);
/** `session/new`, or a load that replays a long history. */
export const AGENT_SESSION_MS = limit("AGENT_SESSION_MS", 120_000);
/** `set_mode` and `set_model`: small questions. */
export const AGENT_SETTING_MS = limit("AGENT_SETTING_MS", 15_000);
/** A cancel without effect for so long ends the agent's process group (P4). */
export const CANCEL_MS = limit("CANCEL_MS", 10_000);
/** Between SIGTERM and SIGKILL to the agent's group. */
export const KILL_GRACE_MS = limit("KILL_GRACE_MS", 3_000);
/** A group that outlives SIGKILL so long is stuck in the kernel; the host keeps trying and says so. */
export const KILL_REPORT_MS = limit("KILL_REPORT_MS", 10_000);
/** Between two looks at whether a killed group is gone. */
export const DEATH_POLL_MS = limit("DEATH_POLL_MS", 25);
/** Previews of one item: at most 20 a second (L3). */
export const PREVIEW_MS = limit("PREVIEW_MS", 50);
/** An open item's checkpoint in the spool (L3: 2 to 5 s). */
export const CHECKPOINT_MS = limit("CHECKPOINT_MS", 3_000);
/** The end of an agent's stderr that is kept for its obituary. */
export const STDERR_TAIL_CHARS = limit("STDERR_TAIL_CHARS", 4_000);
/** One JSON line of an agent: a tool's output may be large, but not without end. */
export const MAX_AGENT_LINE_BYTES = limit("MAX_AGENT_LINE_BYTES", 32 * 1024 * 1024);
/** Between two looks at whether a full disk has room again. */
export const DISK_RETRY_MS = limit("DISK_RETRY_MS", 5_000);

// ---- host: terminals ----

/** B2: output that follows within this goes together. */
export const COALESCE_MS = limit("COALESCE_MS", 8);
/** The newest bytes of a terminal, for panes that come back or are slow; older ones are only on the screen. */
export const TERMINAL_RING_BYTES = limit("TERMINAL_RING_BYTES", 1024 * 1024);
/** Lines above the screen that a host keeps of a terminal: 10 MB beside an agent's own, and what people scroll back to. */
export const TERMINAL_SCROLLBACK = limit("TERMINAL_SCROLLBACK", 1_000);
/** Bytes that wait for the screen's parser; beyond, the program waits. */
export const MAX_SCREEN_BACKLOG_BYTES = 1024 * 1024;
/** A sequence that begins and doesn't end: after so much it is fed as it is. */
export const MAX_UNFED_BYTES = 256 * 1024;
/** A snapshot as JSON, with room in its frame. */
export const MAX_SCREEN_JSON_CHARS = 512 * 1024;
/** Terminals of one session: each is a process and a screen. */
export const MAX_TERMINALS = limit("MAX_TERMINALS", 8);
/** Panes whose inputs are remembered as taken. */
export const MAX_KNOWN_PANES = 256;
/** Between the hang-up and SIGKILL to a shell's process session. */
export const SHELL_GRACE_MS = limit("SHELL_GRACE_MS", 1_000);

/** A terminal agent's terminal before any pane has said its size: what most pages show. */
export const AGENT_TERMINAL_SIZE = { cols: 120, rows: 32 } as const;
/** Inputs that a pane may have on their way to a program that is replaced: none of them is typed into the next one. */
export const KEYS_IN_FLIGHT = 1_000;

// ---- host: terminal agents ----

/** From the shell's start to its wrapper's: what people put into their start-up files takes seconds. */
export const AGENT_WRAPPER_MS = limit("AGENT_WRAPPER_MS", 60_000);
/** An agent that says nothing of itself counts as ready after this: one that can't start has ended by then. */
export const AGENT_SETTLE_MS = limit("AGENT_SETTLE_MS", 5_000);
/** Hooks that have said nothing for so long will not; a question that stands in front of the agent takes no longer. */
export const AGENT_SPEAK_MS = limit("AGENT_SPEAK_MS", 60_000);
/** Between two looks at whether the agent's process is there: its wrapper tells its end, unless that was killed, too. */
export const AGENT_POLL_MS = limit("AGENT_POLL_MS", 1_000);
/** The same, when the terminal shows something new: a shell that is back says so. */
export const AGENT_LOOK_MS = limit("AGENT_LOOK_MS", 100);
/** Between two looks for the conversation that an agent without hooks holds open. */
export const TOKEN_LOOK_MS = limit("TOKEN_LOOK_MS", 2_000);
/** After its terminal died an agent says its last words, and then ends by itself. */
export const HANG_UP_MS = limit("HANG_UP_MS", 3_000);
/** A hook's JSON, at most 256 KiB of it, and its line. */
export const MAX_REPORT_BYTES = 260 * 1024;
/** Between two looks at the reports' folder, for file systems that tell of no change. */
export const REPORTS_POLL_MS = limit("REPORTS_POLL_MS", 2_000);
/** A title may turn a spinner; a session's title is for lists. */
export const TITLE_MS = limit("TITLE_MS", 2_000);
/** A longer prompt is typed: the system takes 128 KiB in one argument. */
export const MAX_ARGV_PROMPT_BYTES = limit("MAX_ARGV_PROMPT_BYTES", 100 * 1024);
/** A first prompt waits so long for a program that takes pastes; one that never does gets it as keys. */
export const PASTE_WAIT_MS = limit("PASTE_WAIT_MS", 3_000);
/** Between a paste and its Enter: together they would be taken for one paste. */
export const ENTER_MS = limit("ENTER_MS", 150);
/** An agent that was told to stop, and shows nothing new for so long, has stopped: while they work they show it. */
export const REST_MS = limit("REST_MS", 1_500);

// ---- daemon: workspace ----

/** One `git` question; a large repository on a cold disk takes seconds. */
export const GIT_LIMIT_MS = limit("GIT_LIMIT_MS", 5_000);
/** What is kept of git's output; more is cut, and said so. */
export const GIT_OUTPUT_BYTES = 4 * 1024 * 1024;
/** Untracked files whose lines are counted for one status; the others show no number. */
export const MAX_COUNTED_FILES = limit("MAX_COUNTED_FILES", 100);
/** Making or removing a worktree checks files out. */
export const GIT_WORKTREE_LIMIT_MS = limit("GIT_WORKTREE_LIMIT_MS", 120_000);
/** Folders offered for one typed path: more than anybody reads. */
export const MAX_COMPLETIONS = limit("MAX_COMPLETIONS", 50);
/** Entries of one folder that are looked at for completions. */
export const MAX_FOLDER_ENTRIES = limit("MAX_FOLDER_ENTRIES", 5_000);
/** A tool call that streams its output is written at most this often while its status stays (L3). */
export const TOOL_UPSERT_MS = limit("TOOL_UPSERT_MS", 250);
/** After its group is dead, an agent's last output is read for so long: a stray child may hold the pipe open. */
export const DRAIN_MS = limit("DRAIN_MS", 500);
/** After a teardown, the host stays for its last events to be acknowledged; then it goes all the same. */
export const FAREWELL_MS = limit("FAREWELL_MS", 5_000);
/** A host that starts beside one that is just ending waits so long for the spool's lock. */
export const SPOOL_LOCK_WAIT_MS = limit("SPOOL_LOCK_WAIT_MS", 2_000);
/** A reader of a dead host's spool: a lock held longer is a host that lives. */
export const SPOOL_READ_WAIT_MS = limit("SPOOL_READ_WAIT_MS", 250);

// ---- daemon: sessions' sockets ----

/** Nothing to say for so long, then the daemon asks whether the socket may close (K1). */
export const SOCKET_IDLE_MS = limit("SOCKET_IDLE_MS", 5_000);
/** An `idle` that was not answered is said again after this. */
export const IDLE_ANSWER_MS = limit("IDLE_ANSWER_MS", 15_000);
/** Bytes on their way to the control plane; beyond, the host isn't read until half of it is gone. */
export const UPLINK_BUFFER_BYTES = 1024 * 1024;
/** A want lasts at least this long after it was told: the two clocks need not agree. */
export const WANT_MIN_MS = limit("WANT_MIN_MS", 60_000);

// ---- daemon: hosts and agents' starts ----

/** From the spawn to an answer on its socket; a loaded machine starts Node in seconds. */
export const HOST_START_MS = limit("HOST_START_MS", 20_000);
/** Between two tries to reach a host that is starting. */
export const HOST_POLL_MS = limit("HOST_POLL_MS", 40);
/** The kernel closes a killed process's sockets a little before the process is gone. */
export const HOST_DEATH_MS = limit("HOST_DEATH_MS", 1_000);
/** A host that lived so long crashed for a new reason. */
export const HOST_HEALTHY_MS = limit("HOST_HEALTHY_MS", 60_000);
/** Waits before a host's second, third ... restart in a row. */
export const HOST_BACKOFF_MS: readonly number[] = [1_000, 5_000, 20_000, 60_000];
/** Between two looks at a host that is there but silent. */
export const HOST_UNKNOWN_MS = limit("HOST_UNKNOWN_MS", 3_000);
/** Hosts that start at the same time (X5: apart from agents): more only fight for the disk. */
export const HOST_STARTS = limit("HOST_STARTS", 4);
/** Session folders looked at in parallel by the scan. */
export const SCAN_PARALLEL = limit("SCAN_PARALLEL", 16);
/** X5: automatic agent starts at a time. */
export const AUTOMATIC_STARTS = limit("AUTOMATIC_STARTS", 2);
/** X5: further starts for people's clicks. */
export const PEOPLE_STARTS = limit("PEOPLE_STARTS", 1);
/** X5: a start that takes longer moves to the slow lane. */
export const SLOW_START_MS = limit("SLOW_START_MS", 20_000);
/** X5: places in the slow lane. */
export const SLOW_STARTS = limit("SLOW_STARTS", 4);
/** Longer than any start may take: what was never heard of again blocks nobody. */
export const FORGET_START_MS = limit("FORGET_START_MS", 10 * 60_000);

// ---- daemon: Docker ----

/** A question that the engine answers from memory; longer means that it hangs. */
export const ENGINE_ANSWER_MS = limit("ENGINE_ANSWER_MS", 5_000);
/** Making a container may copy a whole root file system, where the engine has no layers. */
export const ENGINE_WORK_MS = limit("ENGINE_WORK_MS", 120_000);
/** Between two looks at an engine that nothing else asks: what a machine's page says of it is that old. */
export const ENGINE_CHECK_MS = limit("ENGINE_CHECK_MS", 30_000);
/** A host is told by nothing but its spool, which is synced at every step: there is nothing to wait for. */
export const CONTAINER_STOP_S = 3;
/** What a container's host may print is kept up to this; it prints little. */
export const CONTAINER_LOG_SIZE = "5m";
/** Waits after the first, second ... question that the engine did not answer; the last one repeats. */
export const ENGINE_BACKOFF_MS: readonly number[] = [1_000, 2_000, 5_000, 10_000, 20_000, 60_000];
/** Until it is looked again whether the machine's config names the engine that has a session's container: a person's act. */
export const OTHER_ENGINE_MS = 60_000;

// ---- daemon: the rest ----

/** Changes of one session's inventory entry are told together. */
export const INVENTORY_COALESCE_MS = limit("INVENTORY_COALESCE_MS", 100);
/** Results of commands are told again after a reconnect for so long: nobody acknowledges them. */
export const RESULT_REPEAT_MS = limit("RESULT_REPEAT_MS", 10 * 60_000);
/** The journal forgets a finished command after this; the control plane drops its own long before. */
export const JOURNAL_KEEP_MS = 30 * 24 * 60 * 60_000;
/** One answer to the control plane's question. */
export const REQUEST_LIMIT_MS = limit("REQUEST_LIMIT_MS", 20_000);
/** Questions answered at the same time; more wait. */
export const MAX_OPEN_REQUESTS = 16;
/** Tool calls whose later updates still find them; older ones are done for all that agents do. */
export const KNOWN_TOOL_CALLS = limit("KNOWN_TOOL_CALLS", 500);
/** Between the end of an agent's output and the look at how it ended: the kernel reaps a moment later. */
export const EXIT_WAIT_MS = limit("EXIT_WAIT_MS", 200);
/** A connection to the host's socket that says no hello for so long is nobody. */
export const HELLO_WAIT_MS = limit("HELLO_WAIT_MS", 5_000);
/** Between two looks at whether a workspace-only host is still needed: coarse, for an hour's limit. */
export const IDLE_CHECK_MS = limit("IDLE_CHECK_MS", 60_000);
/** A host that dies in its own teardown is started again to finish it; more than this is a broken machine. */
export const TEARDOWN_TRIES = 3;
/** A teardown that failed is tried again after this, then each time after twice as long. */
export const TEARDOWN_RETRY_MS = limit("TEARDOWN_RETRY_MS", 5_000);
/** The longest wait for that: often enough that nothing lives on for long, seldom enough for a machine that can't. */
export const TEARDOWN_RETRY_MAX_MS = limit("TEARDOWN_RETRY_MAX_MS", 60_000);
/** Questions over the daemon's local door. */
export const DOOR_LIMIT_MS = limit("DOOR_LIMIT_MS", 5_000);

// ---- daemon: agents ----

/** `--version` of one agent; a cold Node program on a loaded machine takes seconds. */
export const VERSION_LIMIT_MS = limit("VERSION_LIMIT_MS", 15_000);
/** From the spawn to the answer of `initialize` when an agent is only asked what it can. */
export const PROBE_LIMIT_MS = limit("PROBE_LIMIT_MS", 60_000);
/** An agent's last words are waited for so long after its end. */
export const PROBE_DRAIN_MS = limit("PROBE_DRAIN_MS", 500);
/** Agents asked at the same time: each is a whole program. */
export const PROBES = limit("PROBES", 1);
/** One line of a probed agent: `initialize` answers are small. */
export const MAX_PROBE_BYTES = 1024 * 1024;
/** Between a load's answer and the first prompt: some adapters send the tail of a replay after the answer (R5). */
export const REPLAY_SETTLE_MS = limit("REPLAY_SETTLE_MS", 150);
/** A spool that nobody fetches may grow to 4 GiB (in pages of 4 KiB); beyond, the disk counts as full (P5). */
export const SPOOL_MAX_PAGES = limit("SPOOL_MAX_PAGES", 1024 * 1024);

// ---- agents' hooks and conversations ----

/** Another host changes the same person's settings: it takes milliseconds. */
export const HOOKS_LOCK_MS = limit("HOOKS_LOCK_MS", 2_000);
/** An agent's settings are a few KB; what is so much larger are none. */
export const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;
/** An agent that is started to list its conversations; the control plane's question ends a little later. */
export const LIST_LIMIT_MS = limit("LIST_LIMIT_MS", 18_000);
/** Agents started at a time for that: each is a whole program. */
export const LISTINGS = limit("LISTINGS", 2);
/** Files of conversations that are looked at for one folder; older ones are found by pasting their id. */
export const MAX_CONVERSATION_FILES = limit("MAX_CONVERSATION_FILES", 1_000);
/** What is read of each from its begin and its end: whose folder it is of, the first prompt, a later title. */
export const CONVERSATION_HEAD_BYTES = 128 * 1024;
export const CONVERSATION_TAIL_BYTES = 64 * 1024;
/** Enough of a file to see whether it is one of this folder. */
export const CONVERSATION_PEEK_BYTES = 8 * 1024;
/** What a program may print as its list. */
export const MAX_LIST_BYTES = 1024 * 1024;
/** The first line of a Codex conversation holds its instructions. */
export const MAX_ROLLOUT_HEAD_BYTES = 512 * 1024;

/** N7: one request at the machine's address; there is nothing to send. */
export const CALL_LIMIT_MS = limit("CALL_LIMIT_MS", 5_000);
/** N7: one call a second is enough for a machine that is asked to call. */
export const KNOCK_STEP_MS = limit("KNOCK_STEP_MS", 1_000);
/** N7: connections at that address at a time: one control plane calls, one after the other. */
export const MAX_CALLERS = 20;

// ---- agentctl ----

/** One join: a cold control plane answers within a few seconds. */
export const JOIN_LIMIT_MS = limit("JOIN_LIMIT_MS", 20_000);
/** `agentctl up` waits so long for its daemon to be there, and then for its first connection. */
export const UP_LIMIT_MS = limit("UP_LIMIT_MS", 20_000);
/** Between two looks at what `up`, `down` and `stop-hosts` wait for. */
export const CLI_POLL_MS = 100;
/** An ending daemon's last words get so long to reach the control plane. */
export const EXIT_GRACE_MS = limit("EXIT_GRACE_MS", 1_000);
/** A host that is told to end gives its agent its grace, and then some. */
export const STOP_HOST_MS = limit("STOP_HOST_MS", 15_000);
/** When the agent itself is dead, its children get only this: until they are gone, nobody may be told (R3). */
export const ORPHAN_GRACE_MS = limit("ORPHAN_GRACE_MS", 50);
/** At a host's start, a longer log is put aside (one old one is kept). */
export const HOST_LOG_BYTES = limit("HOST_LOG_BYTES", 5 * 1024 * 1024);
