// extension.js - starts `orrery lsp` for C files, and stops it when the editor ends; debugging is in debugger.js.
const vscode = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');
const debugging = require('./debugger');

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration('orrery');
  const command = settings.get('path');
  client = new LanguageClient('orrery', 'Orrery', {command, args: ['lsp']}, {
    documentSelector: [{scheme: 'file', language: 'c'}],
    initializationOptions: {flags: settings.get('flags')},
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`Orrery: '${command} lsp' does not start: ${error.message}. ` +
      'Set orrery.path to the command orrery.');
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old)
    await old.stop();
}

exports.activate = async (context) => {
  debugging.activate(context);
  context.subscriptions.push(vscode.workspace.onDidChangeConfiguration(async (event) => {
    if (event.affectsConfiguration('orrery')) {
      await stop();
      await start();
    }
  }));
  await start();
};
exports.deactivate = stop;
