// The server of invitations and notices.
import { Alert, NumberInput, PasswordInput, Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQuery } from '../../api/session.ts'
import { exactTime } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { SettingForm } from './setting-form.tsx'
import type { ServerSettings } from './use-setting.ts'

const t = texts.serverSettings.mail
const { stored, storedHint } = texts.serverSettings

type Stored = NonNullable<ServerSettings['mail']['value']>
type Value = Omit<Stored, 'hasPassword'>

const initial: Stored = {
  host: '',
  port: 465,
  security: 'tls',
  user: null,
  from: '',
  hasPassword: false,
}

export function MailForm({ settings }: { settings: ServerSettings }) {
  const { mail, outgoingMail } = settings
  const { hasPassword, ...before } = mail.value ?? initial
  const [value, setValue] = useState<Value>(before)
  const [password, setPassword] = useState('')
  const email = useQuery(sessionQuery).data?.account.email ?? ''
  const [recipient, setRecipient] = useState<string | null>(null)
  const change = (part: Partial<Value>) => setValue({ ...value, ...part })
  const user = value.user?.trim() || null
  return (
    <SettingForm
      name="mail"
      setting={mail}
      change={{
        mail: {
          ...value,
          user,
          ...(password ? { password } : user === null && { password: null }),
        },
      }}
      recipient={recipient ?? email}
      isChanged={password !== '' || JSON.stringify(value) !== JSON.stringify(before)}
      state={<Outgoing {...outgoingMail} />}
    >
      <ServerFields value={value} change={change} />
      <TextInput
        label={t.user}
        description={t.userHint}
        value={value.user ?? ''}
        onChange={({ currentTarget }) => change({ user: currentTarget.value || null })}
        autoComplete="off"
        maxLength={320}
      />
      <PasswordInput
        label={t.password}
        description={hasPassword ? storedHint : undefined}
        placeholder={hasPassword ? stored : undefined}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': texts.common.showPassword }}
        maxLength={4_000}
      />
      <TextInput
        label={t.from}
        placeholder={t.fromPlaceholder}
        value={value.from}
        onChange={({ currentTarget }) => change({ from: currentTarget.value })}
        required
        maxLength={500}
      />
      <TextInput
        label={t.recipient}
        type="email"
        value={recipient ?? email}
        onChange={({ currentTarget }) => setRecipient(currentTarget.value)}
        required
        maxLength={254}
      />
    </SettingForm>
  )
}

interface ServerFieldsProps {
  value: Value
  change: (part: Partial<Value>) => void
}

const usualPorts = { tls: 465, starttls: 587, none: 25 }

const ServerFields = ({ value, change }: ServerFieldsProps) => (
  <>
    <TextInput
      label={t.host}
      placeholder="smtp.example.org"
      value={value.host}
      onChange={({ currentTarget }) => change({ host: currentTarget.value })}
      required
      maxLength={255}
    />
    <Select
      label={t.security}
      data={Object.entries(t.securities).map(([value, label]) => ({ value, label }))}
      value={value.security}
      onChange={(chosen) => {
        const security = chosen as Value['security'] | null
        if (security) change({ security, port: usualPorts[security] })
      }}
      allowDeselect={false}
    />
    <NumberInput
      label={t.port}
      value={value.port}
      onChange={(port) => typeof port === 'number' && change({ port })}
      min={1}
      max={65_535}
      allowDecimal={false}
      thousandSeparator=""
      required
    />
  </>
)

function Outgoing({ pending, failure }: ServerSettings['outgoingMail']) {
  return (
    <>
      {pending > 0 && <Text size="sm">{t.pending(pending)}</Text>}
      {failure && (
        <Alert
          color="red"
          role="alert"
          title={t.failed(failure.recipient, exactTime(failure.at))}
          className="foreign"
        >
          {failure.reason}
        </Alert>
      )}
    </>
  )
}
