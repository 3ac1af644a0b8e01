// The settings of the server, which are environment variables: by group, with a search.
import { Code, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'
import settingTexts from './setting-texts.json' with { type: 'json' }
import { toReadable } from './setting-values.ts'

const t = texts.installation

interface Setting {
  name: string
  value: string | null
}

const toText = (name: string) => (settingTexts as Record<string, string>)[name] ?? ''

export function Settings({ settings }: { settings: Setting[] }) {
  const [search, setSearch] = useState('')
  const words = search.toLowerCase().split(/\s+/)
  const found = settings.filter(({ name }) => {
    const text = `${name} ${toText(name)}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return (
    <>
      <TextInput
        type="search"
        label={t.searchSettings}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        maw={420}
      />
      {found.length === 0 && <Text size="sm">{t.noSetting}</Text>}
      {groups.map((group) => (
        <SettingGroup
          key={group}
          title={t.groups[group]}
          settings={found.filter(({ name }) => findGroup(name) === group)}
        />
      ))}
    </>
  )
}

function SettingGroup({ title, settings }: { title: string; settings: Setting[] }) {
  if (settings.length === 0) return null
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <Title order={3} size="h6" mt="xs">
        {title}
      </Title>
      {settings.map((setting) => (
        <Row key={setting.name} setting={setting} />
      ))}
    </Stack>
  )
}

const Row = ({ setting: { name, value } }: { setting: Setting }) => (
  <div>
    <Group justify="space-between" gap="xs">
      <Code className="foreign">{name}</Code>
      <Text size="sm" className="foreign" {...(value === null && { c: 'dimmed' })}>
        {toReadable(name, value)}
      </Text>
    </Group>
    <Text size="sm" c="dimmed">
      <CodedText text={toText(name)} />
    </Text>
  </div>
)

type Name = keyof typeof t.groups
const groups = Object.keys(t.groups) as Name[]

/** The first form that fits decides. */
const forms: [Name, RegExp][] = [
  ['limits', /_LIMIT_/],
  ['models', /MODEL|EMBEDDINGS|RERANK/],
  ['retention', /_DAYS$/],
  ['security', /_KEY$|SESSION|OIDC|TOKEN/],
  ['code', /SANDBOX|BOT_MEMORY|DEPLOY|NETWORK|TUNNELS/],
  ['storage', /^(?:DATABASE|NATS|S3)_|_DATA$|BACKUPS|SEARCH/],
]

const findGroup = (name: string): Name =>
  forms.find(([, form]) => form.test(name))?.[0] ?? 'server'
