// The schedule of backups.
import { NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'
import { SettingForm } from './setting-form.tsx'
import type { ServerSettings } from './use-setting.ts'

const t = texts.serverSettings.backups
const { other, ...known } = t.times
const isKnown = (schedule: string) => Object.hasOwn(known, schedule)

const initial = { schedule: '0 3 * * *', keep: 7, verify: true }

export function BackupsForm({ setting }: { setting: ServerSettings['backups'] }) {
  const stored = setting.value ?? initial
  const [value, setValue] = useState(stored)
  const [isOther, setOther] = useState(!isKnown(stored.schedule))
  const change = (part: Partial<typeof initial>) => setValue({ ...value, ...part })
  return (
    <SettingForm
      name="backups"
      setting={setting}
      change={{ backups: value }}
      isChanged={JSON.stringify(value) !== JSON.stringify(stored)}
    >
      <Select
        label={t.when}
        data={Object.entries(t.times).map(([value, label]) => ({ value, label }))}
        value={isOther ? 'other' : value.schedule}
        onChange={(chosen) => {
          setOther(chosen === 'other')
          if (chosen && chosen !== 'other') change({ schedule: chosen })
        }}
        allowDeselect={false}
      />
      {isOther && (
        <TextInput
          label={t.schedule}
          description={<CodedText text={t.scheduleHint} />}
          value={value.schedule}
          onChange={({ currentTarget }) => change({ schedule: currentTarget.value })}
          required
          maxLength={200}
        />
      )}
      <NumberInput
        label={t.keep}
        value={value.keep}
        onChange={(keep) => typeof keep === 'number' && change({ keep })}
        min={1}
        max={1_000}
        allowDecimal={false}
        required
      />
      <Switch
        label={t.verify}
        description={t.verifyHint}
        checked={value.verify}
        onChange={({ currentTarget }) => change({ verify: currentTarget.checked })}
      />
    </SettingForm>
  )
}
