// Completes words of a command line from the definitions of the commands and from the contract.
import type { Command, Option } from 'commander'
import { operationCommand } from '../api/operation-command.ts'
import { fieldsOf } from '../api/operation-fields.ts'
import { operations } from '../api/operations.ts'
import { readProfiles } from '../server/profiles.ts'

/** `words`: those after `botstead`; the last one is incomplete. */
export function complete(program: Command, words: string[]): string[] {
  const before = words.slice(0, -1)
  const current = words.at(-1) ?? ''
  const { command, operands, option } = follow(program, before)
  const isOption = current.startsWith('-')
  const others = isOption ? optionNames(command) : toOperands(command, operands)
  return (option ? toValues(option) : others).filter((one) => one.startsWith(current))
}

const optionNames = (command: Command) =>
  toOptions(command).flatMap(({ long, hidden }) => (long && !hidden ? [long] : []))

interface Position {
  command: Command
  /** The number of arguments that the command has already. */
  operands: number
  /** The option before its value. */
  option?: Option | undefined
}

function follow(program: Command, words: string[]): Position {
  let at: Position = { command: program, operands: 0 }
  for (const word of words) at = next(at, word)
  return at
}

function next({ command, operands, option }: Position, word: string): Position {
  if (option) return { command, operands }
  if (word.startsWith('-')) {
    const found = toOptions(command).find(
      ({ long, short }) => word === long || word === short,
    )
    return { command, operands, option: found?.required ? found : undefined }
  }
  const inner = command.commands.find((one) => one.name() === word)
  if (inner) return { command: inner, operands: 0 }
  const operation =
    command.name() === 'api' && operations.find(({ name }) => name === word)
  if (operation)
    return { command: operationCommand(operation, fieldsOf(operation)), operands: 1 }
  return { command, operands: operands + 1 }
}

/** A noun alone has the options of its list. */
const toOptions = (command: Command): readonly Option[] => [
  ...command.options,
  ...(command.commands.find((one) => one.name() === 'list')?.options ?? []),
]

const toValues = ({ argChoices, long }: Option): string[] =>
  argChoices ?? (long === '--server' ? profileNames() : [])

const profileNames = () => Object.keys(readProfiles().profiles)

function toOperands(command: Command, operands: number): string[] {
  if (operands > 0) return []
  const path = [command.parent?.name(), command.name()].join(' ')
  if (path === 'botstead api') return operations.map(({ name }) => name)
  if (path === 'profiles use' || path === 'botstead logout') return profileNames()
  return command.commands.length > 0
    ? command.commands.map((one) => one.name())
    : (command.registeredArguments[0]?.argChoices ?? [])
}

/** Without candidates, shells complete the names of files. */
export const scripts = {
  bash: `_botstead() {
  local IFS=$'\\n'
  COMPREPLY=($(botstead completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _botstead botstead
`,
  zsh: `#compdef botstead
_botstead() {
  local -a candidates
  candidates=("\${(@f)$(botstead completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$candidates" ]]; then compadd -- "\${candidates[@]}"; else _files; fi
}
if [[ $funcstack[1] == _botstead ]]; then _botstead "$@"; else compdef _botstead botstead; fi
`,
  fish: `function __botstead_complete
    set -l candidates (botstead completion fish -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
    if test (count $candidates) -gt 0
        printf '%s\\n' $candidates
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c botstead -f -a '(__botstead_complete)'
`,
}
