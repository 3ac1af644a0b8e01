// The second factor: set-up with a QR code that is drawn here, recovery codes, removal.
import { Button, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { clientFor } from '../../api/client.ts'
import { saveFile } from '../../parts/files/save-file.ts'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { QrCode } from '../../parts/later-qr-code.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { Failed, Loaded, toReason } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { securityQuery } from './security-query.ts'

export function SecondFactor() {
  const queries = useQueryClient()
  const query = useQuery(securityQuery)
  const [codes, setCodes] = useState<string[] | null>(null)
  const changed = async (codes: string[] | null) => {
    setCodes(codes)
    await queries.invalidateQueries({ queryKey: securityQuery.queryKey })
  }
  return (
    <Section title={texts.account.factor} hint={texts.account.factorHint}>
      {codes && <RecoveryCodes codes={codes} />}
      <Loaded query={query}>
        {({ secondFactor: { isEnabled, recoveryCodesLeft }, hasPassword }) => {
          if (isEnabled) return <Enabled left={recoveryCodesLeft} onChanged={changed} />
          if (hasPassword) return <SetUp onChanged={changed} />
          return <Text size="sm">{texts.account.factorNeedsPassword}</Text>
        }}
      </Loaded>
    </Section>
  )
}

interface Changing {
  onChanged: (codes: string[] | null) => Promise<void>
}

function SetUp({ onChanged }: Changing) {
  const start = useMutation({
    mutationFn: () => clientFor().platform.createSecondFactor({ body: {} }),
  })
  if (!start.data)
    return (
      <Group>
        {start.error && <Failed error={start.error} />}
        <Button
          variant="default"
          onClick={() => start.mutate()}
          loading={start.isPending}
        >
          {texts.account.factorStart}
        </Button>
      </Group>
    )
  return (
    <>
      <Text size="sm">{texts.account.factorScan}</Text>
      <QrCode text={start.data.url} label={texts.account.factorImage} />
      <CopyField value={start.data.secret} />
      <CodeForm
        label={texts.account.code}
        send={(code) => clientFor().platform.confirmSecondFactor({ body: { code } })}
        onDone={({ recoveryCodes }) => onChanged(recoveryCodes)}
        onCancel={start.reset}
      >
        {texts.account.confirm}
      </CodeForm>
    </>
  )
}

function Enabled({ left, onChanged }: Changing & { left: number }) {
  return (
    <>
      <Text size="sm">{texts.account.factorOn(left)}</Text>
      <CodeForm
        label={texts.account.codeOrRecovery}
        description={texts.account.codeUse}
        send={(code) => clientFor().platform.replaceRecoveryCodes({ body: { code } })}
        onDone={({ recoveryCodes }) => onChanged(recoveryCodes)}
        more={{
          title: texts.account.turnOff,
          send: (code) => clientFor().platform.removeSecondFactor({ body: { code } }),
          onDone: async () => {
            notifyDone(texts.account.turnedOff)
            await onChanged(null)
          },
        }}
      >
        {texts.account.newCodes}
      </CodeForm>
    </>
  )
}

interface CodeFormProps<Result> {
  label: string
  description?: string
  send: (code: string) => Promise<Result>
  onDone: (result: Result) => Promise<void>
  /** A second button for the same code. */
  more?: {
    title: string
    send: (code: string) => Promise<unknown>
    onDone: () => Promise<void>
  }
  onCancel?: () => void
  children: ReactNode
}

function CodeForm<Result>(props: CodeFormProps<Result>) {
  const { label, description, send, onDone, more, onCancel, children } = props
  const [code, setCode] = useState('')
  const isShort = code.trim().length < 6
  const onSettled = () => setCode('')
  const main = useMutation({
    mutationFn: () => send(code.trim()),
    onSuccess: onDone,
    onSettled,
  })
  const other = useMutation({
    mutationFn: () => more!.send(code.trim()),
    onSuccess: () => more!.onDone(),
    onSettled,
  })
  const error = main.error ?? other.error
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        other.reset()
        main.mutate()
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={label}
          description={description}
          placeholder="123456"
          autoComplete="one-time-code"
          minLength={6}
          maxLength={30}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={error && toReason(error)}
          required
        />
        <Group>
          <Button
            type="submit"
            variant="default"
            disabled={isShort}
            loading={main.isPending}
          >
            {children}
          </Button>
          {onCancel && (
            <Button variant="subtle" onClick={onCancel}>
              {texts.common.cancel}
            </Button>
          )}
          {more && (
            <Button
              variant="default"
              disabled={isShort}
              {...(!isShort && { c: 'var(--bad)' })}
              loading={other.isPending}
              onClick={() => {
                main.reset()
                other.mutate()
              }}
            >
              {more.title}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <div role="status">
      <Text fw={600} size="sm">
        {texts.account.codes}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {texts.account.codesHint}
      </Text>
      <Code block className="wrapped">
        {codes.join('\n')}
      </Code>
      <Group gap="xs" mt="xs">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy} aria-live="polite">
              {copied ? texts.common.copied : texts.common.copy}
            </Button>
          )}
        </CopyButton>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            saveFile(texts.account.codesFile, new Blob([`${codes.join('\n')}\n`]))
          }
        >
          {texts.account.download}
        </Button>
      </Group>
    </div>
  )
}
