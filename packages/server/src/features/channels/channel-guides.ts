// The guides of channels, as the contract has them.
import type { ChannelEntry, GuideStep } from '@botstead/channels'
import type { ChannelGuide } from '@botstead/contract'
import { toVersionId } from './hub-entries.ts'
import { findAddressProblem } from './public-address.ts'

interface GuideValues {
  botName: string
  configuration: Record<string, unknown>
  webhookUrl?: string
  publicUrl: string
}

/** `configuration` is empty before the channel is installed. */
export async function toGuide(
  entry: ChannelEntry,
  values: GuideValues,
): Promise<ChannelGuide> {
  const { guide, definition } = entry
  const channel = await entry.load()
  const isCalled = channel.needsPublicAddress?.(values.configuration) ?? false
  const problem = isCalled ? findAddressProblem(entry, values.publicUrl) : null
  return {
    name: entry.name,
    title: entry.title,
    description: entry.description,
    integrationId: toVersionId(entry),
    schema: definition.configuration.schema as Record<string, unknown>,
    steps: guide.steps.map((step) => toStep(step, values)),
    laterSteps: (guide.laterSteps ?? []).map((step) => toStep(step, values)),
    firstMessage: guide.firstMessage,
    checks: guide.checks,
    problems: guide.problems,
    invented: guide.invented ?? [],
    unproved: guide.unproved ?? [],
    presets: guide.presets ?? [],
    isProvedByMessages: channel.isProvedByMessages ?? false,
    ways: guide.ways ?? [],
    ...(guide.recipient && { recipient: guide.recipient }),
    ...(problem !== null && { addressProblem: problem }),
  }
}

const toStep = (
  {
    title,
    text,
    links = [],
    settings = [],
    folded = [],
    copies = [],
    file,
    only,
  }: GuideStep,
  values: GuideValues,
): ChannelGuide['steps'][number] => ({
  title,
  text,
  links,
  settings,
  folded,
  copies,
  ...(file && {
    file: {
      name: file.name,
      title: file.title,
      contentType: file.contentType,
      base64: Buffer.from(file.make(values)).toString('base64'),
    },
  }),
  ...(only && { only }),
})
