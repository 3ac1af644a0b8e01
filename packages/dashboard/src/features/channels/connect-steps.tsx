// The steps before a channel is connected: they end with its values, which the provider checks first.
import type { ChannelGuide } from '@botstead/contract'
import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Fragment, useEffect, useState } from 'react'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { Folded } from '../../parts/folded.tsx'
import { ReadOnlyHint } from '../../parts/forms/read-only-hint.tsx'
import { useUnsaved } from '../../parts/forms/unsaved.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'
import { GuideStep, NumberedStep, Steps } from './guide-steps.tsx'
import { PresetNote, withPreset } from './presets.tsx'
import { isWanted, type Values } from './queries.ts'
import {
  invent,
  isField,
  isRequired,
  listProperties,
  SettingField,
} from './setting-field.tsx'
import { SharingWarning } from './sharing-warning.tsx'
import { Unproved } from './unproved.tsx'
import { findProblem } from './value-checks.ts'

const t = texts.channels

interface ConnectStepsProps {
  guide: ChannelGuide
  /** To correct the values of a connected channel. */
  installed?: { alias: string; configuration: Values }
  onConnected?: () => void
}

export function ConnectSteps({ guide, installed, onConnected }: ConnectStepsProps) {
  const isEditor = useMay()('bots.update')
  const [values, setValues] = useState<Values>(
    () =>
      installed?.configuration ??
      Object.fromEntries(guide.invented.map((name) => [name, invent()])),
  )
  const [initial] = useState(values)
  // Nothing is kept in the browser: also addresses and bodies may contain secrets.
  useUnsaved(toText(values) !== toText(initial))
  const change = (name: string, value: unknown) =>
    setValues((before) => withPreset(guide, before, name, value))
  const steps = guide.steps.filter(isWanted(guide, values))
  const named = new Set(guide.steps.flatMap((step) => [...step.settings, ...step.folded]))
  const others = Object.entries(listProperties(guide)).filter(
    ([name, property]) => !named.has(name) && isField(property),
  )
  const field = (name: string, isDescribed = false, isNeeded = false) =>
    isEditor && (
      <Fragment key={name}>
        <SettingField
          {...{ name, guide, values, isDescribed, isNeeded }}
          onChange={change}
        />
        {guide.presets.some(({ setting }) => setting === name) && (
          <PresetNote guide={guide} setting={name} values={values} />
        )}
      </Fragment>
    )
  const folded = (title: string, names: string[]) =>
    isEditor &&
    names.length > 0 && (
      <Folded title={title} isOpen={names.some((name) => initial[name] !== undefined)}>
        <Stack gap="sm">{names.map((name) => field(name))}</Stack>
      </Folded>
    )
  return (
    <Steps>
      {steps.map((step, i) => (
        <GuideStep key={step.title} number={i + 1} step={step} values={values}>
          {step.settings.map((name) =>
            field(name, step.settings.length === 1, step.only !== undefined),
          )}
          {folded(t.values(step.folded.length), step.folded)}
        </GuideStep>
      ))}
      <NumberedStep
        number={steps.length + 1}
        title={installed ? t.saveStep : t.connectStep(guide.title)}
      >
        <ReadOnlyHint needs="bots.update" />
        {folded(
          t.values(others.length),
          others.map(([name]) => name),
        )}
        {isEditor && <Connect {...{ guide, values, installed, onConnected }} />}
      </NumberedStep>
    </Steps>
  )
}

interface ConnectProps extends Pick<ConnectStepsProps, 'guide'> {
  values: Values
  installed: ConnectStepsProps['installed'] | undefined
  onConnected: (() => void) | undefined
}

function Connect({ guide, values, installed, onConnected }: ConnectProps) {
  const configuration = withoutEmpty(values)
  const missing = listMissing(guide, configuration)
  const free = useFreeAlias(guide.name)
  const alias = installed?.alias ?? free
  const check = useCheck(guide, alias)
  const install = useInstall(guide, alias)
  const hasProblem = Object.entries(values).some(
    ([name, value]) => findProblem(guide.checks, name, value) !== null,
  )
  const isReady = missing.length === 0
  const hint = hasProblem ? t.doubt : t.connectHint
  // The answer to former values would contradict what the fields say.
  const isCurrent = JSON.stringify(check.variables) === JSON.stringify(configuration)
  const wanted = isReady && !hasProblem ? JSON.stringify(configuration) : ''
  const [settled] = useDebouncedValue(wanted, 700)
  const { mutate } = check
  useEffect(() => {
    if (settled !== '') mutate(JSON.parse(settled))
  }, [settled, mutate])
  const connect = async () => {
    install.reset()
    const { problem } = await check.mutateAsync(configuration)
    if (problem !== null) return
    await install.mutateAsync(configuration)
    onConnected?.()
  }
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {isReady ? hint : t.missing(missing.join(texts.common.comma))}
      </Text>
      {isReady && isCurrent && (
        <CheckResult guide={guide} values={values} check={check} />
      )}
      <ActionError error={check.error ?? install.error} />
      <Group>
        <Button
          disabled={!isReady}
          loading={install.isPending}
          onClick={() => void connect().catch(() => {})}
        >
          {installed ? texts.common.save : t.connect}
        </Button>
      </Group>
    </Stack>
  )
}

interface CheckResultProps {
  guide: ChannelGuide
  values: Values
  check: ReturnType<typeof useCheck>
}

const CheckResult = ({ guide, values, check }: CheckResultProps) => (
  <div role="status">
    {check.isPending && (
      <Group gap="xs">
        <Loader size="xs" aria-hidden="true" />
        <Text size="sm">{t.checking}</Text>
      </Group>
    )}
    {!check.isPending && check.data?.problem && (
      <Alert color="red" title={t.notRight} className="foreign">
        <CodedText text={check.data.problem} />
      </Alert>
    )}
    {!check.isPending && check.data?.problem === null && (
      <>
        {!guide.isProvedByMessages && (
          <Text size="sm" c="var(--good)" fw={600} className="foreign">
            {t.right(check.data.account.name)}
          </Text>
        )}
        <SharingWarning warning={check.data.warning} />
        <Unproved guide={guide} values={values} />
      </>
    )}
  </div>
)

const toText = (values: Values) => JSON.stringify(withoutEmpty(values))

const withoutEmpty = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values)
      .map(
        ([name, value]) =>
          [name, typeof value === 'string' ? value.trim() : value] as const,
      )
      .filter(([, value]) => value !== undefined && value !== ''),
  )

/** Returns the titles of values that are required, also of steps for one value of a setting. */
function listMissing(guide: ChannelGuide, values: Values): string[] {
  const ofSteps = guide.steps
    .filter((step) => step.only !== undefined && isWanted(guide, values)(step))
    .flatMap((step) => step.settings)
  return Object.entries(listProperties(guide)).flatMap(([name, { title = name }]) =>
    (isRequired(guide, name) || ofSteps.includes(name)) && values[name] === undefined
      ? [title]
      : [],
  )
}

/** The name of the channel, with a number if the bot has it already. */
function useFreeAlias(name: string): string {
  const installed = Object.keys(useBotQuery().data?.bot.integrations ?? {})
  const others = installed.map((_, i) => `${name}-${i + 2}`)
  return [name, ...others].find((alias) => !installed.includes(alias)) ?? name
}

function useCheck({ name }: ChannelGuide, alias: string) {
  const { botId, client } = useBot()
  return useMutation({
    mutationFn: (configuration: Values) =>
      client.platform.checkChannel({
        params: { botId, name },
        body: { configuration, alias },
      }),
  })
}

/** The page then shows the state of the channel. */
function useInstall({ name, title, integrationId }: ChannelGuide, alias: string) {
  const { workspaceId, botId, client } = useBot()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (configuration: Values) =>
      client.admin.updateBot({
        params: { id: botId },
        body: {
          integrations: { [alias]: { integrationId, enabled: true, configuration } },
        },
      }),
    onSuccess: async ({ bot }) => {
      if (bot.integrations[alias]?.status === 'registered') notifyDone(t.connected(title))
      await queries.invalidateQueries({ queryKey: ['bots', botId] })
      await navigate({
        to: '/w/$workspaceId/bots/$botId/channels/$channelName',
        params: { workspaceId, botId, channelName: name },
        search: { alias },
      })
    },
  })
}
