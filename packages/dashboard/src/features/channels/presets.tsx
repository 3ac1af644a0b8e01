// Values that follow from another one, such as the servers of an e-mail address. People may change them.
import type { ChannelGuide } from '@botstead/contract'
import { Anchor, Text } from '@mantine/core'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import type { Values } from './queries.ts'

type Preset = ChannelGuide['presets'][number]

function findPreset({ presets }: ChannelGuide, setting: string, value: unknown) {
  if (typeof value !== 'string') return undefined
  const text = value.trim().toLowerCase()
  return presets.find(
    (one) =>
      one.setting === setting && one.endings.some((ending) => text.endsWith(ending)),
  )
}

/** Changes a value, and those that follow from it, unless a person has entered others. */
export function withPreset(
  guide: ChannelGuide,
  values: Values,
  setting: string,
  value: unknown,
): Values {
  const before: Preset['values'] =
    findPreset(guide, setting, values[setting])?.values ?? {}
  const after: Preset['values'] = findPreset(guide, setting, value)?.values ?? {}
  const isFree = (name: string) =>
    [undefined, '', before[name]].includes(values[name] as string)
  const names = [...Object.keys(before), ...Object.keys(after)].filter(isFree)
  return {
    ...values,
    ...Object.fromEntries(names.map((name) => [name, after[name]])),
    [setting]: value,
  }
}

interface PresetNoteProps {
  guide: ChannelGuide
  setting: string
  values: Values
}

export function PresetNote({ guide, setting, values }: PresetNoteProps) {
  const found = findPreset(guide, setting, values[setting])
  return (
    <Text size="sm" role="status">
      {found && (
        <>
          <CodedText text={found.note} />{' '}
          {found.link && (
            <Anchor
              href={found.link.url}
              target="_blank"
              rel="noopener noreferrer"
              size="sm"
            >
              {found.link.title}
            </Anchor>
          )}
        </>
      )}
    </Text>
  )
}
