// The command line of one operation: `botstead api <family>.<operation>` followed by its options.
import { Command, Option } from 'commander'
import {
  botOption,
  idempotencyKeyOption,
  serverOption,
  tokenOption,
  workspaceOption,
} from '../definitions/command-parts.ts'
import type { Field } from './operation-fields.ts'
import type { NamedOperation } from './operations.ts'

/** Whether the response has a token for the next page. */
const isPaged = ({ query }: NamedOperation): boolean =>
  Object.hasOwn(
    (query as { properties?: object } | undefined)?.properties ?? {},
    'nextToken',
  )

export const isForChat = ({ access }: NamedOperation) =>
  access === 'chat' || access === 'chatUser'
const hasKey = ({ method, stream }: NamedOperation) => method === 'POST' && !stream

/** Whether `--bot` names the bot, in the path or in a header. */
export const isForBot = (operation: NamedOperation): boolean =>
  operation.access === 'bot' || operation.path.includes('{botId}')

export function operationCommand(operation: NamedOperation, fields: Field[]): Command {
  const { name, method, path, summary, description = '', permission } = operation
  const command = new Command(name)
    .usage('[options]')
    .description(
      [
        `${summary} (${method} ${path})`,
        ...(description ? [description] : []),
        `Access: ${accesses[operation.access]}${permission ? `, with the permission ${permission}` : ''}.`,
      ].join('\n'),
    )
  for (const { option } of fields) command.addOption(option.helpGroup('Fields:'))
  for (const option of ownOptions(operation)) command.addOption(option)
  return command
}

const accesses = {
  public: 'anyone',
  token: 'any token',
  account: 'personal access tokens',
  workspace: 'personal access tokens of members of the workspace',
  bot: 'personal access tokens, and keys of the bot and its integrations',
  chat: 'users of the chat URL',
  chatUser: 'users of the chat URL, with their key',
}

function ownOptions(operation: NamedOperation): Option[] {
  const { access, body, stream } = operation
  const isOpen = access === 'public' || isForChat(operation)
  return [
    ...(body
      ? [
          new Option(
            '--input <file>',
            'JSON of the body; "-" reads standard input; options replace its fields',
          ),
        ]
      : []),
    ...(isPaged(operation)
      ? [new Option('--paginate', 'follow nextToken, and print the items of all pages')]
      : []),
    ...(stream
      ? [new Option('-o, --output <file>', 'write the response to this file')]
      : []),
    new Option(
      '--json',
      'print one line of JSON; with --paginate one line for each item',
    ),
    serverOption(),
    ...(isOpen ? [] : [tokenOption()]),
    ...(isForBot(operation) ? [botOption()] : []),
    ...(isOpen || access === 'account' ? [] : [workspaceOption()]),
    ...(isForChat(operation)
      ? [
          new Option(
            '--chat <id>',
            'webhook id of the chat, by default that of the first bot',
          ),
        ]
      : []),
    ...(access === 'chatUser'
      ? [new Option('--user-key <key>', 'key of the user, which chat.createUser returns')]
      : []),
    ...(hasKey(operation) ? [idempotencyKeyOption()] : []),
  ]
}
