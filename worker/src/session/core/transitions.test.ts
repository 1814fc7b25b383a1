import { describe, expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import { EVENTS } from "./every-event.ts";
import type { Rig } from "./rig.ts";
import { REACH, SITUATIONS, type Situation, situationOf } from "./situations.ts";

/** `.` taken, and it stays where it is; `-` refused; else where it leads. Words of the columns: situations.ts. */
const TABLE = `
                            CLN PRN STN WAI WRK SPG INT CLR PRR STR FND LPN RTY NEV NOR GON STP DON BYE REM
prompt                      .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   -   -
prompt.edit                 .   .   .   -   -   -   -   -   -   -   -   -   -   .   -   -   -   -   -   -
prompt.remove               .   .   .   -   -   -   -   -   -   -   -   -   -   .   .   -   -   -   -   -
cancel                      -   -   -   -   .   .   -   -   -   -   -   .   -   -   -   -   -   -   -   .
stop stopped                STP SPG SPG SPG SPG .   STP STP SPG SPG SPG SPG STP STP STP STP .   STP .   .
stop completed              DON SPG SPG SPG SPG .   DON DON SPG SPG SPG SPG DON DON DON DON DON .   .   .
stop.undo                   -   -   -   -   -   WRK -   -   -   -   -   -   -   -   -   -   -   -   -   -
resume resume               .   .   .   -   -   -   CLR .   .   .   .   .   CLR -   -   CLR CLR CLR -   -
resume retry                .   .   .   -   -   -   CLR .   .   .   .   .   CLR -   -   CLR CLR CLR -   -
answer                      -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -
recovery try_now            .   .   .   .   .   .   CLR .   .   .   .   .   CLR .   .   .   CLR CLR .   .
recovery cancel             NEV .   .   .   .   .   .   INT .   .   .   .   INT .   .   .   .   .   .   .
recovery check_again        .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
recovery dismiss            .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
recovery declare_lost       NEV NEV NEV INT INT STP .   INT INT INT INT NEV .   .   .   .   .   .   .   .
recovery release            .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
recovery continue           -   -   .   .   .   .   -   -   -   .   .   .   -   -   -   -   -   -   -   .
recovery verified           .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
recovery start_again        -   -   -   -   -   -   -   -   -   -   -   -   -   CLN -   -   -   -   -   -
rename                      .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
settings                    .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
profile.gone                .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
profile.back                .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
token.release               .   .   .   -   -   -   -   -   -   -   -   .   -   .   -   -   -   -   .   .
archive                     .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
remove                      REM REM REM REM REM REM REM REM REM REM REM REM REM REM REM REM REM REM REM .
link.hello                  .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
link.permit_request         PRN .   .   .   .   .   .   PRR .   .   .   .   .   .   .   .   .   .   .   .
link.prompt_refused         .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
link.approval_unknown       .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool execution.opened      .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool execution.opened foundFND FND .   .   .   .   FND FND FND .   .   .   FND FND FND FND FND FND FND .
spool agent.spawned         .   STN .   .   .   .   .   .   STR .   .   .   .   .   .   .   .   .   .   .
spool agent.initialized     .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool agent.ready           .   .   WAI .   .   .   .   .   .   WAI WAI WRK .   .   .   .   .   .   .   .
spool agent.settings        .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool agent.title           .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool agent.token           .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool agent.goodbye         .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool agent.prompted        .   .   .   .   .   .   .   .   .   .   .   .   .   NOR .   .   .   .   .   .
spool agent.attention       .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool turn.started          .   WRK WRK WRK .   .   .   .   WRK WRK WRK WRK .   NOR .   .   .   .   .   .
spool turn.ended            .   .   .   .   WAI .   .   .   .   .   .   WAI .   .   .   .   .   .   .   .
spool item                  .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool approval.asked        .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool approval.settled      .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
spool notice                .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
ended interrupted live      NEV NEV NEV INT INT STP .   RTY RTY RTY INT NEV .   .   .   .   .   .   .   .
ended interrupted scan      NEV NEV NEV CLR CLR STP .   RTY RTY RTY INT NEV .   .   .   .   .   .   .   .
ended failed                NEV NEV NEV INT INT STP .   RTY RTY RTY INT NEV .   .   .   .   .   .   .   .
ended failed gone           NEV NEV NEV INT INT STP .   GON GON GON INT NEV .   .   .   .   .   .   .   .
ended stopped               STP STP STP STP STP STP .   STP STP STP STP STP .   .   .   .   .   .   .   .
ended completed             DON DON DON DON DON STP .   DON DON DON DON DON .   .   .   .   .   .   .   .
ended agent_exit            BYE BYE BYE BYE BYE STP .   BYE BYE BYE BYE BYE .   .   .   .   .   .   .   .
ended superseded            NEV NEV NEV INT INT STP .   RTY RTY RTY INT NEV .   .   .   .   .   .   .   .
ended disposed              NEV NEV NEV INT INT STP .   RTY RTY RTY INT NEV .   .   .   .   .   .   .   .
evidence there              .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
evidence no_folder          .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
evidence no_runtime         .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
evidence absent             NEV NEV NEV CLR CLR STP .   RTY RTY RTY INT NEV .   .   .   .   .   .   .   .
evidence incomplete         .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
evidence other_folder       .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
presence online             .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
presence reconnecting       .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
presence offline            .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
launch_failed passing       NEV NEV .   .   .   .   .   RTY RTY .   .   .   .   .   .   .   .   .   .   .
launch_failed final         NEV NEV .   .   .   .   .   INT INT .   .   .   .   .   .   .   .   .   .   .
launch_failed no_folder     NEV NEV .   .   .   .   .   INT INT .   .   .   .   .   .   .   .   .   .   .
launch_failed no_runtime    NEV NEV .   .   .   .   .   RTY RTY .   .   .   .   .   .   .   .   .   .   .
launch_failed no_container  NEV NEV .   .   .   .   .   INT INT .   .   .   .   .   .   .   .   .   .   .
done enqueue                .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
done dequeue                .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
done claim_token            .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
done want                   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
done call_node              .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
done forget                 .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
tick there                  .   .   .   .   .   .   .   .   .   .   .   .   CLR .   .   .   .   .   .   .
tick away                   NEV .   .   .   .   .   .   INT .   .   .   .   CLR .   .   .   .   .   .   .
`;

const [head = "", ...lines] = TABLE.trim().split("\n");
const COLUMNS = head.trim().split(/ +/);
const KEY_CHARS = 28;
const rows = lines.map((line) => ({
  key: line.slice(0, KEY_CHARS).trim(),
  cells: line.slice(KEY_CHARS).split(/ +/),
}));

function next(from: Situation, make: (rig: Rig) => SessionEvent): string {
  const rig = REACH[from]();
  const answer = rig.do(make(rig));
  if (!answer.ok) return "-";
  const to = situationOf(rig.state);
  return to === from ? "." : (to ?? "nowhere");
}

describe("Every transition of a session's recovery (design §3, X, R)", () => {
  it("each event in each situation stands in the table, once", () => {
    expect(COLUMNS).toEqual(SITUATIONS);
    expect(rows.map((row) => row.key)).toEqual(Object.keys(EVENTS));
    for (const { key, cells } of rows) expect(cells, key).toHaveLength(SITUATIONS.length);
  });

  for (const situation of SITUATIONS) {
    it(`${situation} is reached by events alone`, () => expect(situationOf(REACH[situation]().state)).toBe(situation));
  }

  for (const [key, make] of Object.entries(EVENTS)) {
    it(`§3: ${key}`, () => {
      const row = rows.find((r) => r.key === key);
      expect(SITUATIONS.map((from) => `${from}: ${next(from, make)}`)).toEqual(
        SITUATIONS.map((from, i) => `${from}: ${row?.cells[i]}`),
      );
    });
  }
});
