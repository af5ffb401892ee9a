// debugger.js - debugging by `orrery debug --dap`: the adapter, and a view of what each rank does.
const vscode = require('vscode');

function command() {
  return vscode.workspace.getConfiguration('orrery').get('path');
}

// A launch without a configuration file: the file that is open, on four ranks.
function resolve(folder, configuration) {
  if (configuration.type || configuration.request)
    return configuration;
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.languageId !== 'c')
    return undefined;
  return {type: 'orrery', request: 'launch', name: 'Orrery', program: editor.document.fileName, ranks: 4,
    cwd: folder ? folder.uri.fsPath : undefined};
}

// The view: a row for each rank, with its place, state and virtual time. It asks when the program has stopped.
class Ranks {
  constructor() {
    this.changed = new vscode.EventEmitter();
    this.onDidChangeTreeData = this.changed.event;
    this.rows = [];
  }

  async refresh(session) {
    try {
      this.rows = session ? (await session.customRequest('orrery/ranks')).ranks : [];
    } catch {
      this.rows = [];
    }
    this.changed.fire();
  }

  getChildren() {
    return this.rows;
  }

  getTreeItem(row) {
    const item = new vscode.TreeItem(`rank ${row.rank}`);
    item.description = [row.state, row.place, row.doing].filter(Boolean).join(', ');
    item.tooltip = `${row.time_ps / 1e6} us of virtual time`;
    return item;
  }
}

async function look(what, row) {
  const session = vscode.debug.activeDebugSession;
  if (!session || session.type !== 'orrery' || !row)
    return;
  const asked = what === 'queues' ? `queues ${row.rank}` : what;
  const {text} = await session.customRequest('orrery/look', {what: asked, threadId: row.rank + 1});
  const document = await vscode.workspace.openTextDocument({content: text, language: 'plaintext'});
  await vscode.window.showTextDocument(document, {preview: true, viewColumn: vscode.ViewColumn.Beside});
}

exports.activate = (context) => {
  const ranks = new Ranks();
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('orrery', {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(command(), ['debug', '--dap']),
    }),
    vscode.debug.registerDebugConfigurationProvider('orrery', {resolveDebugConfiguration: resolve}),
    vscode.debug.registerDebugAdapterTrackerFactory('orrery', {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: (message) => {
          if (message.type === 'event' && message.event === 'stopped')
            ranks.refresh(session);
        },
        onWillStopSession: () => ranks.refresh(undefined),
      }),
    }),
    vscode.window.registerTreeDataProvider('orrery.ranks', ranks),
    vscode.commands.registerCommand('orrery.why', (row) => look('why', row)),
    vscode.commands.registerCommand('orrery.queues', (row) => look('queues', row)));
};
