// Voice notes of people, as texts: a model for transcription reads the stored file before the bot gets the
// message, which keeps its file and gets the field `transcript`. Only the person's conversation waits for it;
// whatever fails, the bot gets the message without it.
import { ApiError } from '@botstead/contract'
import { FairTurns, storableText } from '@botstead/lib'
import { appendBotLogs } from '../../core/bots/index.ts'
import type { IntegrationTarget } from '../../core/catalog/index.ts'
import { redactStored } from '../../core/compute/index.ts'
import type { DeliveryHooks, DueMessage } from '../../core/delivery/index.ts'
import { messageStore } from '../../core/messaging/index.ts'
import type { ChangeFeed } from '../../core/realtime/index.ts'
import { isChannel } from './channel-context.ts'
import { readFile } from './channel-host.ts'
import type { ChannelDeps } from './deps.ts'

interface Speaker {
  workspaceId: string
  botId: string
  eventId: string
  conversationId: string
  userId: string
  /** The purpose in the ledger of the models. */
  source: string
}

export interface VoiceNoteDeps extends ChannelDeps {
  changeFeed: Pick<ChangeFeed, 'publish'>
  transcriber: {
    isConfigured(speaker: Speaker): Promise<boolean>
    transcribe(
      speaker: Speaker,
      audio: { content: Uint8Array; mediaType: string },
      signal: AbortSignal,
    ): Promise<string>
  }
}

/** With the time in which it waits for others. */
const deadlineMs = 20_000
const maxBytes = 10 * 2 ** 20
const maxSeconds = 600
const maxTextLength = 20_000
/** Files in memory at the same time; of one bot, half while others wait. */
const maxAtOnce = 8
const aloneMs = 1_000

export function addVoiceNoteHook(
  hooks: Pick<DeliveryHooks, 'completeMessage'>,
  deps: VoiceNoteDeps,
): void {
  const turns = new FairTurns({ capacity: maxAtOnce, maxPerKey: maxAtOnce / 2, aloneMs })
  hooks.completeMessage.push((message) =>
    isVoiceNote(message) ? withTranscript(deps, turns, message) : null,
  )
}

const isVoiceNote = ({ type, payload: { isVoice, audioUrl, transcript } }: DueMessage) =>
  type === 'audio' &&
  isVoice === true &&
  typeof audioUrl === 'string' &&
  transcript === undefined

/** Returns the changed payload; null if it stays. */
async function withTranscript(
  deps: VoiceNoteDeps,
  turns: FairTurns,
  message: DueMessage,
): Promise<Record<string, unknown> | null> {
  const { botId, integration, conversationId } = message
  try {
    const target = await deps.targets.integration(botId, integration)
    if (!target || !(await isWanted(deps, botId, target))) return null
    const speaker = toSpeaker(message, target)
    if (!(await deps.transcriber.isConfigured(speaker))) return null
    const text = await transcribe(deps, turns, speaker, String(message.payload.audioUrl))
    return text === '' ? null : await storeTranscript(deps, message, text)
  } catch (error) {
    if (!(error instanceof ApiError))
      deps.log.warn(
        { err: error, botId, conversationId },
        'a voice note could not be transcribed',
      )
    const reason = error instanceof ApiError ? error.message : 'Internal server error'
    const line = `A voice note of ${integration} was not transcribed: ${reason}`
    const at = new Date()
    await appendBotLogs(deps, botId, [
      { at, level: 'warn', message: line, conversationId },
    ])
    return null
  }
}

/** No rule can redact a voice: for a bot that redacts what models get, only its owner can permit it. */
async function isWanted(
  { getRedactors }: VoiceNoteDeps,
  botId: string,
  target: IntegrationTarget,
): Promise<boolean> {
  const { transcribeVoice: when = 'automatic' } = target.configuration
  if (!isChannel(target) || when === 'never') return false
  return when === 'always' || (await getRedactors(botId)).models === null
}

const toSpeaker = (
  { botId, eventId, conversationId, userId }: DueMessage,
  { workspaceId }: IntegrationTarget,
): Speaker => ({
  workspaceId,
  botId,
  eventId,
  conversationId,
  userId,
  source: 'voice note',
})

/** Throws ApiError. */
async function transcribe(
  deps: VoiceNoteDeps,
  turns: FairTurns,
  speaker: Speaker,
  url: string,
): Promise<string> {
  const signal = AbortSignal.timeout(deadlineMs)
  const late = new Promise<never>((_, reject) => {
    const reason = `No model has done it within ${deadlineMs / 1_000} s`
    signal.addEventListener('abort', () =>
      reject(new ApiError('OperationTimeout', reason)),
    )
  })
  const turn = turns.take(speaker.botId)
  const work = async () => {
    if (turn.admitted) await turn.admitted
    const { content, contentType: mediaType } = await readVoice(deps, speaker.botId, url)
    return deps.transcriber.transcribe(speaker, { content, mediaType }, signal)
  }
  try {
    const text = await Promise.race([work(), late])
    return storableText(text.trim(), maxTextLength)
  } finally {
    turn.leave()
  }
}

/** Throws ApiError. */
async function readVoice(deps: VoiceNoteDeps, botId: string, url: string) {
  const file = await readFile(deps, botId, url, maxBytes)
  if (!file)
    throw new ApiError(
      'InvalidPayload',
      `The file is not on this server, was deleted, or has more than ${maxBytes / 2 ** 20} MB`,
    )
  const seconds = readSeconds(file.content)
  if (seconds !== null && seconds > maxSeconds)
    throw new ApiError('InvalidPayload', `It is longer than ${maxSeconds / 60} minutes`)
  return file
}

/** Returns the length of Ogg Opus, which most providers have: its last page has the position. */
function readSeconds(content: Buffer): number | null {
  const isOpus = content.subarray(0, 64).includes('OpusHead')
  const last = content.lastIndexOf('OggS')
  return isOpus && last + 14 <= content.length
    ? Number(content.readBigInt64LE(last + 6)) / 48_000
    : null
}

async function storeTranscript(
  deps: VoiceNoteDeps,
  { botId, conversationId, messageId, integration }: DueMessage,
  text: string,
): Promise<Record<string, unknown>> {
  const transcript = await redactStored(deps.getRedactors, botId, text)
  const row = await messageStore.find(deps.db, botId, messageId, integration)
  const change = { payload: { ...row.payload, transcript } }
  const { payload } = await messageStore.applyChange(deps.db, row, integration, change)
  deps.changeFeed.publish({ topic: 'messages', botId, conversationId })
  return payload
}
