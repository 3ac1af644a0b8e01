import { inLanguage } from '../../../in-language.ts'
import { amount, thousands } from '../../amount.ts'

export const copilot = inLanguage('copilot', {
  title: 'Copilot',
  close: 'Close the copilot',
  noModel: 'There is no language model for the copilot',
  noModelHint:
    'Set one up in Server settings, under Language model; or ask the operator of this server to do so.',
  toSettings: 'Server settings',
  request: 'What should the bot do?',
  requestHint: 'Describe a new bot, a change, or a question about this one.',
  send: 'Send',
  suggestions: 'Suggestions',
  explainFlow: 'Explain this flow',
  writeTests: 'Write tests',
  whyFailed: 'Why did this fail?',
  explainRequest: (flow: string) => `Explain the flow ${flow} in a few sentences.`,
  testsRequest: (flow: string) => `Write tests for the flow ${flow}.`,
  failedRequest: 'Why did the bot answer wrong in this conversation: ',
  today: (dollars: string, maxDollars: string, tokens: number, maxTokens: number) =>
    `Today: ${dollars} of ${maxDollars}, ${thousands(tokens)} of ${thousands(maxTokens)} tokens`,
  cost: (dollars: string, tokens: number) => `${dollars}, ${amount(tokens, 'token')}`,
  states: { running: 'Working …', done: 'Done', stopped: 'Stopped', failed: 'Failed' },
  stop: 'Stop',
  steps: 'Steps',
  tools: {
    read_schema: 'Reads the format',
    list_examples: 'Looks for examples',
    read_example: 'Reads an example',
    read_draft: 'Reads the draft',
    list_names: 'Looks for names',
    edit_draft: 'Edits a copy',
    check_document: 'Checks the copy',
    run_tests: 'Runs the tests',
    read_trace: 'Reads a conversation',
    verify: 'Checks and tests the result',
  } as Record<string, string>,
  changes: 'It would change:',
  passed: (count: number) =>
    `The check finds no problem; ${amount(count, 'test')} passed.`,
  apply: 'Apply',
  applied: 'The changes are in the draft. Undo takes them back.',
  nothingToApply: 'The draft has these changes already',
  earlier: 'Earlier requests',
})
