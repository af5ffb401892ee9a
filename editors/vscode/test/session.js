// session.js - drives a debugging session as an editor does, by the client of @vscode/debugadapter-testsupport: breakpoints,
// steps, values, back in time, to the end. Exit status 77: that package is not installed.
const {spawn} = require('child_process');
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');

let DebugClient;
try {
  ({DebugClient} = require('@vscode/debugadapter-testsupport'));
} catch {
  console.log('@vscode/debugadapter-testsupport is not installed: skipped');
  process.exit(77);
}

const PROGRAM = `#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        sum += i + rank;
    printf("%d: %d\\n", rank, sum);
    MPI_Finalize();
    return 0;
}
`;

// Resolves to the port at which the adapter waits.
function port(adapter) {
  return new Promise((found, lost) => {
    let said = '';
    adapter.stderr.on('data', (data) => {
      said += data;
      const match = /port (\d+)/.exec(said);
      if (match)
        found(Number(match[1]));
    });
    adapter.on('exit', () => lost(new Error(`the adapter has gone: ${said}`)));
  });
}

async function value(client, expression, rank) {
  const {body: {stackFrames: [frame]}} = await client.stackTraceRequest({threadId: rank + 1});
  return (await client.evaluateRequest({expression, frameId: frame.id, context: 'hover'})).body.result;
}

async function drive(client, program) {
  await client.hitBreakpoint({program, ranks: 4}, {path: program, line: 9});
  const {body: {threads}} = await client.threadsRequest();
  assert.deepStrictEqual(threads.map((thread) => thread.name), ['rank 0', 'rank 1', 'rank 2', 'rank 3']);
  assert.strictEqual(await value(client, 'rank', 3), '3');
  await Promise.all([client.nextRequest({threadId: 1}), client.assertStoppedLocation('step', {path: program, line: 8})]);
  assert.strictEqual(await value(client, 'sum', 0), '0');
  await client.setBreakpointsRequest({source: {path: program}, breakpoints: [{line: 10, condition: 'rank == 2'}]});
  await Promise.all([client.continueRequest({threadId: 1}), client.waitForEvent('stopped')]);
  assert.strictEqual(await value(client, 'sum', 2), '9');
  await Promise.all([client.stepBackRequest({threadId: 3}), client.waitForEvent('stopped')]);
  await Promise.all([client.stepBackRequest({threadId: 3}), client.waitForEvent('stopped')]);
  assert.strictEqual(await value(client, 'sum', 2), '5');
  await Promise.all([client.reverseContinueRequest({threadId: 3}), client.assertStoppedLocation('entry', {})]);
  await client.setBreakpointsRequest({source: {path: program}, breakpoints: []});
  await Promise.all([client.continueRequest({threadId: 1}), client.waitForEvent('terminated')]);
  await client.disconnectRequest({});
}

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-dap-'));
  const program = path.join(folder, 'a.c');
  fs.writeFileSync(program, PROGRAM);
  const adapter = spawn(process.env.ORRERY || 'orrery', ['debug', '--dap', '--port', '0'], {stdio: ['ignore', 'inherit', 'pipe']});
  const client = new DebugClient('', '', 'orrery');
  try {
    await client.start(await port(adapter));
    await drive(client, program);
    console.log('the session is as it should be');
  } finally {
    adapter.kill();
    fs.rmSync(folder, {recursive: true});
  }
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
