// `botstead move`: moves a workspace to another installation while it is used.
import { readFileSync } from 'node:fs'
import {
  cancelMove,
  endForwarding,
  followMove,
  type MoveStatus,
  readMove,
  requestWorkspaceMove,
} from '@botstead/server'
import { CliError, UsageError } from '../../failure.ts'
import { ownCommand } from '../../own-command.ts'
import { onThisMachine } from '../../server/on-this-machine.ts'
import { openProgress } from '../../terminal/progress.ts'
import { confirm } from '../../terminal/prompt.ts'

interface MoveCommandOptions {
  to?: string
  tokenFile?: string
  cancel?: boolean
  endForwarding?: boolean
  yes?: boolean
  json?: boolean
}

export async function moveOne(
  workspaceId: string,
  options: MoveCommandOptions,
): Promise<void> {
  const { to, cancel, endForwarding: end, json } = options
  if ([to !== undefined, cancel, end].filter((one) => one).length > 1)
    throw new UsageError('specify only one of --to, --cancel and --end-forwarding')
  if (cancel) await onThisMachine((config) => cancelMove(config, workspaceId))
  else if (end) {
    await confirm(`deletes the workspace ${workspaceId} here`, options, workspaceId)
    await onThisMachine((config) => endForwarding(config, workspaceId))
  } else if (to !== undefined) await request(workspaceId, to, options)
  else if (!(await onThisMachine((config) => readMove(config, workspaceId))))
    throw new CliError(`There is no move of ${workspaceId}: specify --to <url>`)
  const status = await follow(workspaceId)
  if (json) return console.log(JSON.stringify({ workspaceId, ...status }))
  report(workspaceId, status)
}

async function request(
  workspaceId: string,
  to: string,
  { tokenFile, json }: MoveCommandOptions,
) {
  const token = readToken(tokenFile)
  const { remarks } = await onThisMachine((config) =>
    requestWorkspaceMove(config, workspaceId, { to, token }),
  )
  if (!json) for (const remark of remarks) console.log(`Note: ${remark}`)
}

function readToken(file: string | undefined): string {
  const token = file === undefined ? process.env.BOTSTEAD_TARGET_TOKEN : readFile(file)
  if (token?.trim()) return token.trim()
  throw new UsageError(
    'a token of an owner of the target is required: pass --token-file <file> or set BOTSTEAD_TARGET_TOKEN',
  )
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}

const steps: Partial<Record<MoveStatus['state'], string>> = {
  requested: 'preparing',
  copying: 'copying',
  following: 'copying the changes since',
  pausing: 'waiting for deliveries in progress',
  stopped: 'writes are stopped',
  deciding: 'waiting for the decision of the target',
  cancelling: 'cancelling',
  ending: 'deleting the rows here',
}

/** Waits until the move has ended. Neither an interruption of the command nor of a server ends the move. */
async function follow(workspaceId: string): Promise<Omit<MoveStatus, 'isServed'>> {
  const progress = openProgress()
  let last: MoveStatus = {
    state: 'ended',
    targetUrl: '',
    note: '',
    stoppedMs: null,
    isServed: true,
  }
  let hasEnded = false
  await onThisMachine((config) =>
    followMove(config, workspaceId, (status) => {
      const isServed = status === 'away' ? false : status?.isServed !== false
      if (!isServed)
        progress.show(
          'no server of this installation runs: start one, it continues the move',
        )
      if (status === 'away') return false
      // No row: the workspace is deleted here.
      hasEnded = status === null
      if (!status) return true
      last = status
      const { state, note } = status
      if (isServed) progress.show(`${steps[state] ?? state}${note ? ` (${note})` : ''}`)
      return !(state in steps)
    }),
  ).finally(progress.end)
  const { isServed: _, ...status } = last
  return hasEnded ? { ...status, state: 'ended' } : status
}

function report(
  workspaceId: string,
  { state, targetUrl, note, stoppedMs }: Omit<MoveStatus, 'isServed'>,
) {
  if (state === 'ended')
    return console.log(`${workspaceId} is deleted here, and no longer forwarded`)
  if (state === 'cancelled')
    throw new CliError(
      `The move was cancelled: ${note || 'as requested'}. The workspace is here as before`,
    )
  console.log(
    `${workspaceId} lives at ${targetUrl}. Its writes were stopped for ${stoppedMs} ms.`,
  )
  console.log(
    'This installation forwards its requests. To end that: ' +
      `${ownCommand} move ${workspaceId} --end-forwarding`,
  )
}
