// One channel of the bot: the steps of connecting it, its state, a test message, and frequent problems.
import type { ChannelGuide, ChannelState } from '@botstead/contract'
import {
  Alert,
  Anchor,
  Box,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { useIsOperator } from '../../api/session.ts'
import { Folded } from '../../parts/folded.tsx'
import { QrCode } from '../../parts/later-qr-code.tsx'
import { DocsLink } from '../../parts/objects/docs-link.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'
import { ChannelLight } from './channel-light.tsx'
import { ChannelStatus } from './channel-status.tsx'
import { ConnectSteps } from './connect-steps.tsx'
import { GuideStep, NumberedStep, Steps } from './guide-steps.tsx'
import { isWanted, toLight, useChannels, useGuide, type Values } from './queries.ts'
import { TestMessage } from './test-message.tsx'
import { Unproved } from './unproved.tsx'

const t = texts.channels

export function ChannelPage() {
  const { channelName = '' } = useParams({ strict: false })
  const { alias } = useSearch({ strict: false }) as { alias?: string }
  const guide = useGuide(channelName, alias)
  const channels = useChannels({ ...(alias !== undefined && { waitsFor: alias }) })
  return (
    <Page title={guide.data?.guide.title ?? channelName} docs={`channels/${channelName}`}>
      <Loaded query={guide}>
        {({ guide }) => (
          <Loaded query={channels}>
            {({ channels }) => {
              const own = channels.filter(({ name }) => name === channelName)
              const state = own.find((one) => one.alias === alias)
              return (
                <Stack maw={820} w="100%">
                  <Text c="dimmed">{guide.description}</Text>
                  {state ? (
                    <Connected key={state.alias} guide={guide} state={state} />
                  ) : (
                    <NotConnected key={channelName} guide={guide} others={own} />
                  )}
                  <Problems guide={guide} />
                </Stack>
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

function AddressProblem({ guide: { addressProblem } }: { guide: ChannelGuide }) {
  const { workspaceId } = useBot()
  const isOperator = useIsOperator()
  if (addressProblem === undefined) return null
  return (
    <Alert color="yellow">
      <CodedText text={addressProblem} />{' '}
      <DocsLink page="channels#a-public-address">{t.addressDocs}</DocsLink>
      {isOperator && (
        <Anchor
          display="block"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/w/$workspaceId/server-settings"
              params={{ workspaceId }}
            />
          )}
        >
          {t.addressSetting}
        </Anchor>
      )}
    </Alert>
  )
}

function NotConnected({
  guide,
  others,
}: {
  guide: ChannelGuide
  others: ChannelState[]
}) {
  const { workspaceId, botId } = useBot()
  return (
    <>
      {others.length > 0 && (
        <Alert color="gray">
          <Text size="sm">
            {t.existing(others.map(({ alias }) => alias).join(texts.common.comma))}
          </Text>
          {others.map(({ alias, name }) => (
            <Anchor
              key={alias}
              size="sm"
              mr="md"
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/w/$workspaceId/bots/$botId/channels/$channelName"
                  params={{ workspaceId, botId, channelName: name }}
                  search={{ alias }}
                />
              )}
            >
              {t.openExisting(alias)}
            </Anchor>
          ))}
        </Alert>
      )}
      <Ways guide={guide} />
      <AddressProblem guide={guide} />
      <Title order={2} size="h4">
        {t.steps}
      </Title>
      <ConnectSteps guide={guide} />
    </>
  )
}

/** Other channels of the same kind. */
function Ways({ guide: { name, ways } }: { guide: ChannelGuide }) {
  const { workspaceId, botId } = useBot()
  const navigate = useNavigate()
  if (ways.length === 0) return null
  return (
    <SegmentedControl
      aria-label={t.ways}
      style={{ alignSelf: 'start' }}
      data={ways.map((way) => ({ value: way.name, label: way.title }))}
      value={name}
      onChange={(channelName) =>
        void navigate({
          to: '/w/$workspaceId/bots/$botId/channels/$channelName',
          params: { workspaceId, botId, channelName },
        })
      }
    />
  )
}

interface ConnectedProps {
  guide: ChannelGuide
  state: ChannelState
}

function Connected({ guide, state }: ConnectedProps) {
  const installation = useBotQuery().data?.bot.integrations[state.alias]
  const values: Values = { ...installation?.configuration, webhookUrl: state.webhookUrl }
  const later = guide.laterSteps.filter(isWanted(guide, values))
  const before = guide.steps.filter(isWanted(guide, values))
  const [isCorrecting, correcting] = useDisclosure(false)
  if (isCorrecting && installation)
    return (
      <>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t.correct}
          </Title>
          <Button variant="default" size="compact-sm" onClick={correcting.close}>
            {texts.common.cancel}
          </Button>
        </Group>
        <ConnectSteps
          guide={guide}
          installed={{ alias: state.alias, configuration: installation.configuration }}
          onConnected={correcting.close}
        />
      </>
    )
  return (
    <>
      <AddressProblem guide={guide} />
      <ChannelStatus guide={guide} state={state} onCorrect={correcting.open} />
      {toLight(state) === 'waiting' && <Unproved guide={guide} values={values} />}
      <Title order={2} size="h4">
        {t.laterSteps}
      </Title>
      <Steps>
        {later.map((step, i) => (
          <GuideStep key={step.title} number={i + 1} step={step} values={values} />
        ))}
        <NumberedStep number={later.length + 1} title={t.firstMessage}>
          <FirstMessage guide={guide} state={state} />
        </NumberedStep>
      </Steps>
      <TestMessage guide={guide} state={state} />
      <Folded title={t.doneSteps(before.length)}>
        <Steps>
          {before.map((step, i) => (
            <GuideStep key={step.title} number={i + 1} step={step} values={values} />
          ))}
        </Steps>
      </Folded>
    </>
  )
}

function FirstMessage({ guide, state }: ConnectedProps) {
  const { link } = state.account
  const hasCode = link?.startsWith('https://') ?? false
  return (
    <Group align="flex-start" gap="md">
      {hasCode && link && <QrCode text={link} label={t.qrCode} />}
      <Stack gap="xs" style={{ flex: '1 1 220px' }}>
        <Text size="sm">
          <CodedText text={guide.firstMessage} />
        </Text>
        {link && (
          <>
            {hasCode && <Text size="sm">{t.qrHint}</Text>}
            <Anchor
              href={link}
              target="_blank"
              rel="noopener noreferrer"
              size="sm"
              className="foreign"
            >
              {link.replace(/^mailto:/, '')}
            </Anchor>
          </>
        )}
        <ChannelLight state={state} />
      </Stack>
    </Group>
  )
}

const Problems = ({ guide: { problems } }: { guide: ChannelGuide }) => (
  <Section title={t.problems}>
    {problems.map(({ problem, remedy }) => (
      <Box key={problem}>
        <Text size="sm" fw={600}>
          {problem}
        </Text>
        <Text size="sm">
          <CodedText text={remedy} />
        </Text>
      </Box>
    ))}
  </Section>
)
