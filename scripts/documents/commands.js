// The reference of the command line, from the definitions of its commands. Requires a build.
import { exitCodes } from '../../packages/cli/dist/failure.js'
import { createProgram } from '../../packages/cli/dist/program.js'
import { table } from './marked.js'

const sharedVariables = ['SERVER', 'TOKEN', 'WORKSPACE', 'BOT'].map(
  (name) => `BOTSTEAD_${name}`,
)
/** Options that most commands share: the page describes them once. */
const isShared = ({ long, envVar }) =>
  sharedVariables.includes(envVar) || long === '--json' || long === '--limit'

/** Also a command with options that has another one below it: "migrate". */
const listLeaves = (command) => [
  ...(command.commands.length === 0 || command.options.length > 0 ? [command] : []),
  ...command.commands.flatMap(listLeaves),
]

const toName = (command) =>
  command.parent?.parent ? `${toName(command.parent)} ${command.name()}` : command.name()

const isListed = (option) => !option.hidden && !isShared(option)

function toUsage(command) {
  const args = command.registeredArguments.map((one) => {
    const name = one.variadic ? `${one.name()}…` : one.name()
    return one.required ? ` <${name}>` : ` [${name}]`
  })
  // A noun alone runs its list.
  const name = toName(command).replace(/ list$/, ' [list]')
  return `\`${name}${args.join('')}\``
}

/** Angle brackets outside of code would be HTML. */
const withoutHtml = (text) => text.replaceAll('<', '\\<')

const toOption = ({ flags, description, argChoices, defaultValue }) =>
  [
    `\`${flags}\` ${withoutHtml(description)}`,
    ...(argChoices ? [`(${argChoices.join(', ')})`] : []),
    ...(defaultValue === undefined || defaultValue === true ? [] : [`[${defaultValue}]`]),
  ].join(' ')

/** A table for each group of the program's help. */
export function commandReference() {
  const { commands } = createProgram()
  return [...new Set(commands.map((command) => command.helpGroup()))]
    .map((group) => {
      const rows = commands
        .filter((command) => command.helpGroup() === group)
        .flatMap(listLeaves)
        .map((command) => [
          toUsage(command),
          withoutHtml(command.description()),
          command.options.filter(isListed).map(toOption).join('; '),
        ])
      return `### ${group.replace(/:$/, '')}\n\n${table(['Command', 'Effect', 'Options'], rows)}`
    })
    .join('\n\n')
}

export const exitCodeTable = () => table(['Code', 'Meaning'], Object.entries(exitCodes))
