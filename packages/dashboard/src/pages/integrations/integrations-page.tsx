// The integrations in a bot: state, webhook address and configuration, and installing more.

import type { Installation } from '@botstead/contract'
import { Badge, Button, Group, Paper, Stack, Text, Title, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ChannelLight } from '../../features/channels/channel-light.tsx'
import { ChooseChannel } from '../../features/channels/choose-channel.tsx'
import { useChannels } from '../../features/channels/queries.ts'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { isChat, toVersion } from './chat.ts'
import { InstallIntegration } from './install-integration.tsx'

const t = texts.integrations

/** The bot with its integrations by alias. */
export function useInstallations() {
  return useBotQuery()
}

export function IntegrationsPage() {
  const query = useInstallations()
  const may = useMay()
  const [isInstalling, installing] = useDisclosure(false)
  const [isChoosing, choosing] = useDisclosure(false)
  const install = may('bots.update') && (
    <Button onClick={choosing.open}>{texts.channels.choose}</Button>
  )
  return (
    <Page title={t.title} actions={install}>
      <Loaded query={query}>
        {({ bot: { integrations } }) =>
          Object.keys(integrations).length === 0 ? (
            <Empty title={t.empty} hint={t.emptyHint} action={install} />
          ) : (
            <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
              {Object.entries(integrations).map(([alias, installation]) => (
                <Installed key={alias} alias={alias} installation={installation} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {isChoosing && (
        <ChooseChannel
          onOthers={() => {
            choosing.close()
            installing.open()
          }}
          onClose={choosing.close}
        />
      )}
      {isInstalling && <InstallIntegration onClose={installing.close} />}
    </Page>
  )
}

function Installed({
  alias,
  installation,
}: {
  alias: string
  installation: Installation
}) {
  const { workspaceId, botId } = useBot()
  const channel = useChannels().data?.channels.find((one) => one.alias === alias)
  return (
    <Paper component="li" className="panel" p="md">
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4" className="foreign">
            {channel ? (
              <Link
                to="/w/$workspaceId/bots/$botId/channels/$channelName"
                params={{ workspaceId, botId, channelName: channel.name }}
                search={{ alias }}
                style={{ color: 'var(--mantine-color-anchor)' }}
              >
                {channel.name === alias ? channel.title : alias}
              </Link>
            ) : (
              <Link
                to="/w/$workspaceId/bots/$botId/integrations/$alias"
                params={{ workspaceId, botId, alias }}
                style={{ color: 'var(--mantine-color-anchor)' }}
              >
                {alias}
              </Link>
            )}
          </Title>
          {channel ? (
            <ChannelLight state={channel} />
          ) : (
            <InstallationStatus installation={installation} />
          )}
        </Group>
        <Text size="sm" c="dimmed" className="foreign">
          {toName(installation, alias)}
        </Text>
        {installation.enabled && installation.statusReason && (
          <Text size="sm" c="var(--bad)" className="foreign">
            {installation.statusReason}
          </Text>
        )}
        {/* The page of a channel says what belongs to its address. */}
        {!channel && <WebhookAddress installation={installation} />}
      </Stack>
    </Paper>
  )
}

export function InstallationStatus({ installation }: { installation: Installation }) {
  const { status, enabled } = installation
  const hasFailed = enabled && status.endsWith('failed')
  return (
    <Tooltip label={enabled ? t.statusHints[status] : t.disabledHint}>
      <Badge {...(hasFailed ? { color: 'red.8' } : { variant: 'default' })}>
        {enabled ? t.statuses[status] : t.disabled}
      </Badge>
    </Tooltip>
  )
}

/** Title, name and version, without those that repeat the alias beside them. */
export function toName({ title, name, version }: Installation, alias: string): string {
  const known = [alias.toLowerCase()]
  const parts = [title, name].filter((part) => {
    const isNew = part !== '' && !known.includes(part.toLowerCase())
    known.push(part.toLowerCase())
    return isNew
  })
  return [...parts, toVersion({ name, version })].join(' · ')
}

export const WebhookAddress = ({ installation }: { installation: Installation }) => (
  <div>
    <Text size="sm" fw={600}>
      {t.webhook}
    </Text>
    <Text size="sm" c="dimmed" mb={4}>
      {isChat(installation) ? t.chatWebhookHint : t.webhookHint}
    </Text>
    <CopyField value={installation.webhookUrl} />
  </div>
)
