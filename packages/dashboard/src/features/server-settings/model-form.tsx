// A model: that of texts, or that of embeddings.
import { PasswordInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'
import { SettingForm } from './setting-form.tsx'
import type { ServerSettings } from './use-setting.ts'

const t = texts.serverSettings.model
const { stored, storedHint } = texts.serverSettings

type Setting = ServerSettings['model']
type Type = NonNullable<Setting['value']>['type']

const examples: Record<'model' | 'embeddings', Record<Type, string>> = {
  model: {
    openai: 'gpt-5-mini',
    anthropic: 'claude-sonnet-4-5',
    google: 'gemini-2.5-flash',
    mistral: 'mistral-small-latest',
    'openai-compatible': 'llama3.2',
  },
  embeddings: {
    openai: 'text-embedding-3-small',
    anthropic: '',
    google: 'gemini-embedding-001',
    mistral: 'mistral-embed',
    'openai-compatible': 'nomic-embed-text',
  },
}

interface ModelFormProps {
  name: 'model' | 'embeddings'
  setting: Setting
}

export function ModelForm({ name, setting }: ModelFormProps) {
  const { value } = setting
  const [type, setType] = useState<Type>(value?.type ?? 'openai')
  const [url, setUrl] = useState(value?.url ?? '')
  const [model, setModel] = useState(value?.model ?? '')
  const [key, setKey] = useState('')
  const isOther = type === 'openai-compatible'
  const isChanged =
    type !== (value?.type ?? 'openai') ||
    url !== (value?.url ?? '') ||
    model !== (value?.model ?? '') ||
    key !== ''
  const change = { type, url: url.trim() || null, model, ...(key && { key }) }
  return (
    <SettingForm
      name={name}
      setting={setting}
      change={{ [name]: change }}
      isChanged={isChanged}
    >
      <Select
        label={t.type}
        data={Object.entries(t.types)
          .filter(([one]) => name === 'model' || one !== 'anthropic')
          .map(([value, label]) => ({ value, label }))}
        value={type}
        onChange={(chosen) => chosen && setType(chosen as Type)}
        allowDeselect={false}
      />
      <TextInput
        label={t.url}
        type="url"
        description={isOther && <CodedText text={t.urlHint} />}
        placeholder={isOther ? 'http://127.0.0.1:11434/v1' : t.ownUrl}
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        required={isOther}
        maxLength={1_000}
      />
      <TextInput
        label={t.model}
        description={t.modelHint}
        placeholder={examples[name][type]}
        value={model}
        onChange={({ currentTarget }) => setModel(currentTarget.value)}
        required
        maxLength={200}
      />
      <PasswordInput
        label={t.key}
        description={value?.hasKey ? storedHint : undefined}
        placeholder={value?.hasKey ? stored : undefined}
        value={key}
        onChange={({ currentTarget }) => setKey(currentTarget.value)}
        required={!isOther && !value?.hasKey}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': texts.common.showPassword }}
        maxLength={4_000}
      />
    </SettingForm>
  )
}
