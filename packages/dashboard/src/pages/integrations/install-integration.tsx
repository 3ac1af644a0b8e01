// Installs an integration of the hub or of the workspace, with its configuration.
import { chatOf } from '@botstead/client'
import type { IntegrationSummary } from '@botstead/contract'
import { Badge, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot, useWorkspace } from '../../api/scope.ts'
import { useChannels } from '../../features/channels/queries.ts'
import { ChoiceButton } from '../../parts/choice-button.tsx'
import { DocsLink } from '../../parts/objects/docs-link.tsx'
import { Failed, Loaded } from '../../parts/states.tsx'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'
import { isChat, toVersion } from './chat.ts'
import { ConfigurationForm, type Settings } from './configuration-form.tsx'
import { useDefinition } from './definition-query.ts'
import { notifyRegistration } from './registration.ts'

const t = texts.integrations

type Found = Pick<
  IntegrationSummary,
  'id' | 'name' | 'version' | 'title' | 'description'
> & {
  public: boolean
}

export function InstallIntegration({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<Found | null>(null)
  return (
    <Modal opened onClose={onClose} title={t.install} size="lg">
      {chosen ? (
        <Install integration={chosen} onBack={() => setChosen(null)} onClose={onClose} />
      ) : (
        <Choose onChoose={setChosen} />
      )}
    </Modal>
  )
}

/** Own integrations first, then those of the hub. */
function useFound(search: string) {
  const { workspaceId, client } = useWorkspace()
  return useQuery({
    queryKey: ['integrations', workspaceId, 'installable', search],
    queryFn: async ({ signal }) => {
      const input = { query: { ...(search && { search }), version: 'latest' } }
      const [own, hub] = await Promise.all([
        client.admin.listIntegrations(input, { signal }),
        client.admin.listPublicIntegrations(input, { signal }),
      ])
      const known = new Set(own.integrations.map(({ id }) => id))
      const others = hub.integrations.filter(({ id }) => !known.has(id))
      return {
        found: [
          ...own.integrations.map((each) => ({ ...each, public: false })),
          ...others.map((each) => ({ ...each, public: true })),
        ],
        hasMore: Boolean(own.meta.nextToken ?? hub.meta.nextToken),
      }
    },
  })
}

/** Channels that come with the server have separate pages. */
function useIsOther(): (found: Found) => boolean {
  const { available = [] } = useChannels().data ?? {}
  const names = new Set(available.map(({ name }) => name))
  return ({ name, ...found }) => !found.public || !names.has(name)
}

function Choose({ onChoose }: { onChoose: (integration: Found) => void }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 300)
  const query = useFound(search)
  const isOther = useIsOther()
  const installed = Object.entries(useBotQuery().data?.bot.integrations ?? {})
  const getAliases = ({ name }: Found) =>
    installed
      .flatMap(([alias, one]) => (one.name === name ? [alias] : []))
      .join(texts.common.comma)
  return (
    <Stack>
      <TextInput
        label={t.search}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      <Loaded query={query}>
        {({ found: all, hasMore }) => {
          const found = all.filter(isOther)
          return (
            <>
              {found.length === 0 && (
                <Text c="dimmed">{search ? t.nothing : t.noneYet}</Text>
              )}
              <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }}>
                {found.map((integration) => (
                  <Choice
                    key={integration.id}
                    integration={integration}
                    installedAs={getAliases(integration)}
                    onChoose={onChoose}
                  />
                ))}
              </Stack>
              {hasMore && (
                <Text size="sm" c="dimmed">
                  {t.moreFound}
                </Text>
              )}
              <Text size="sm" c="dimmed">
                <CodedText text={t.ownHint} />{' '}
                <DocsLink page="moving-from-the-cloud#deploy-your-integrations">
                  {t.ownDocs}
                </DocsLink>
              </Text>
              <Text size="sm" c="dimmed">
                {t.newestHint}
              </Text>
            </>
          )
        }}
      </Loaded>
    </Stack>
  )
}

interface ChoiceProps {
  integration: Found
  /** Empty if the bot does not have it. */
  installedAs: string
  onChoose: (integration: Found) => void
}

function Choice({ integration, installedAs, onChoose }: ChoiceProps) {
  const { title, name, version, description } = integration
  return (
    <li>
      <ChoiceButton isForeign onClick={() => onChoose(integration)}>
        <b>{title || name}</b> {title.toLowerCase() !== name.toLowerCase() && `${name} `}
        {toVersion({ name, version })}{' '}
        <Badge
          variant="default"
          size="sm"
          title={integration.public ? t.hubHint : t.ownedHint}
        >
          {integration.public ? t.hub : t.own}
        </Badge>{' '}
        {installedAs && <Badge size="sm">{t.installedAs(installedAs)}</Badge>}
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </ChoiceButton>
    </li>
  )
}

interface InstallProps {
  integration: Found
  onBack: () => void
  onClose: () => void
}

function Install({ integration, onBack, onClose }: InstallProps) {
  const { data } = useBotQuery()
  const installed = Object.keys(data?.bot.integrations ?? {})
  const [typed, setTyped] = useState<string | null>(null)
  const alias = (
    typed ?? freeAlias(integration.name.replace(/^.*\//, ''), installed)
  ).trim()
  const problem = toProblem(alias, installed)
  const definition = useDefinition(integration)
  const isFirstChat = isChat(integration) && !chatOf(data?.bot.integrations ?? {})
  const install = useInstall(integration, alias, onClose)
  return (
    <Stack>
      <Group justify="space-between">
        <Text className="foreign" fw={600}>
          {integration.name} {toVersion(integration)}
        </Text>
        <Button variant="default" size="compact-sm" onClick={onBack}>
          {t.back}
        </Button>
      </Group>
      <TextInput
        label={t.alias}
        description={t.aliasHint}
        value={typed ?? alias}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={problem}
        maxLength={200}
        required
        data-autofocus
      />
      {isFirstChat && (
        <Text size="sm" c="dimmed">
          {t.appearanceLater}
        </Text>
      )}
      <Loaded query={definition}>
        {(found) => (
          <ConfigurationForm
            definition={found}
            value={{ configurationType: null, configuration: {} }}
            hidden={isFirstChat ? 'appearance' : undefined}
            button={t.installNow}
            isSaving={install.isPending}
            hasButton
            onSubmit={(settings) => problem === null && install.mutate(settings)}
          />
        )}
      </Loaded>
      {install.error && <Failed error={install.error} />}
    </Stack>
  )
}

/** Opens the page of the integration, which shows the result of its registration. */
function useInstall(integration: Found, alias: string, onClose: () => void) {
  const { workspaceId, botId, client } = useBot()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (settings: Settings) =>
      client.admin.updateBot({
        params: { id: botId },
        body: {
          integrations: {
            [alias]: { integrationId: integration.id, enabled: true, ...settings },
          },
        },
      }),
    onSuccess: async ({ bot }) => {
      onClose()
      notifyRegistration(t.installed(integration.title || integration.name), bot, alias)
      await queries.invalidateQueries({ queryKey: ['bots', botId] })
      await navigate({
        to: '/w/$workspaceId/bots/$botId/integrations/$alias',
        params: { workspaceId, botId, alias },
      })
    },
  })
}

function freeAlias(name: string, installed: string[]): string {
  const alternatives = [name, ...installed.map((_, index) => `${name}-${index + 2}`)]
  return alternatives.find((alias) => !installed.includes(alias)) ?? name
}

/** An installation under a used alias would replace the one that is there. */
function toProblem(alias: string, installed: string[]): string | null {
  if (alias === '' || alias.includes(':')) return t.aliasInvalid
  return installed.includes(alias) ? t.aliasUsed : null
}
