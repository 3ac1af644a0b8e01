// One installed integration: state, configuration, last requests, and its removal.

import type { Installation } from '@botstead/contract'
import { Button, Group, Paper, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Loaded, Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { InstallationStatus, useInstallations } from './integrations-page.tsx'
import { WebhookRequests } from './webhook-requests.tsx'

const SchemaForm = lazy(() =>
  import('../../parts/schema-form.tsx').then((module) => ({ default: module.SchemaForm })),
)

const t = texts.integrations

export function IntegrationPage() {
  const { alias = '' } = useParams({ strict: false })
  const isEditor = useMay()('bots.update')
  const [isRemoving, removing] = useDisclosure(false)
  const query = useInstallations()
  const actions = isEditor && (
    <Button color="red.8" onClick={removing.open}>
      {t.remove}
    </Button>
  )
  return (
    <Page title={alias} actions={actions}>
      <Loaded query={query}>
        {({ bot: { integrations } }) => {
          const installation = Object.hasOwn(integrations, alias) ? integrations[alias] : undefined
          if (!installation)
            return <Empty title={texts.common.errors.gone} hint={texts.common.errors.goneHint} />
          return (
            <Stack>
              <State alias={alias} installation={installation} />
              <Section title={t.configuration}>
                <Configuration alias={alias} installation={installation} />
              </Section>
              <Section title={t.identifier}>
                <Identifier alias={alias} identifier={installation.identifier ?? ''} />
              </Section>
              <Section title={t.requests}>
                <WebhookRequests alias={alias} />
              </Section>
            </Stack>
          )
        }}
      </Loaded>
      {isRemoving && <Remove alias={alias} onClose={removing.close} />}
    </Page>
  )
}

interface InstalledProps {
  alias: string
  installation: Installation
}

function useUpdate(alias: string) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return async (
    change: { enabled?: boolean; configuration?: Record<string, unknown> },
    id: string,
  ) => {
    const integrations = { [alias]: { ...change, integrationId: id } }
    await client.admin.updateBot({ params: { id: botId }, body: { integrations } })
    await queries.invalidateQueries({ queryKey: ['bots', botId] })
  }
}

function State({ alias, installation }: InstalledProps) {
  const isEditor = useMay()('bots.update')
  const update = useUpdate(alias)
  const toggle = useMutation({
    mutationFn: (enabled: boolean) => update({ enabled }, installation.id),
    onError: notifyFailed,
  })
  return (
    <Paper className="panel" p="md">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" c="dimmed" className="foreign">
            {installation.title} · {installation.name} {installation.version}
          </Text>
          <InstallationStatus installation={installation} />
        </Group>
        <Switch
          label={t.enabled}
          checked={installation.enabled}
          disabled={!isEditor || toggle.isPending}
          onChange={(event) => toggle.mutate(event.currentTarget.checked)}
        />
        <Text size="sm" fw={600}>
          {t.webhook}
        </Text>
        <CopyField value={installation.webhookUrl} />
      </Stack>
    </Paper>
  )
}

function Configuration({ alias, installation }: InstalledProps) {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const update = useUpdate(alias)
  const query = useQuery({
    queryKey: ['integrations', botId, 'definition', installation.id],
    queryFn: async ({ signal }) => {
      const params = { id: installation.id }
      const { integration } = installation.public
        ? await client.admin.getPublicIntegrationById({ params }, { signal })
        : await client.admin.getIntegration({ params }, { signal })
      return integration
    },
  })
  const save = useMutation({
    mutationFn: (configuration: Record<string, unknown>) =>
      update({ configuration }, installation.id),
    onSuccess: () => notifyDone(t.saved),
    onError: notifyFailed,
  })
  return (
    <Loaded query={query}>
      {({ configuration, configurations }) => {
        const type = installation.configurationType
        const schema = (type ? configurations[type] : configuration)?.schema ?? {}
        if (Object.keys((schema as { properties?: object }).properties ?? {}).length === 0)
          return (
            <Text size="sm" c="dimmed">
              {t.noConfiguration}
            </Text>
          )
        return (
          <Suspense fallback={<Loading />}>
            <SchemaForm
              schema={schema}
              value={installation.configuration}
              readOnly={!isEditor}
              isSaving={save.isPending}
              onSubmit={(value) => save.mutate(value)}
            />
          </Suspense>
        )
      }}
    </Loaded>
  )
}

function Identifier({ alias, identifier }: { alias: string; identifier: string }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const queries = useQueryClient()
  const [value, setValue] = useState(identifier)
  const save = useMutation({
    mutationFn: () =>
      client.platform.setIntegrationIdentifier({
        params: { botId, alias },
        body: { identifier: value.trim() || null },
      }),
    onSuccess: async () => {
      notifyDone(t.identifierSaved)
      await queries.invalidateQueries({ queryKey: ['bots', botId] })
    },
    onError: notifyFailed,
  })
  return (
    <Group align="end">
      <TextInput
        label={t.identifier}
        description={t.identifierHint}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        readOnly={!isEditor}
        maxLength={200}
      />
      {isEditor && (
        <Button
          variant="default"
          onClick={() => save.mutate()}
          loading={save.isPending}
          disabled={value.trim() === identifier}
        >
          {texts.common.save}
        </Button>
      )}
    </Group>
  )
}

function Remove({ alias, onClose }: { alias: string; onClose: () => void }) {
  const { workspaceId, botId, client } = useBot()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['bots', botId, 'uses', alias],
    queryFn: ({ signal }) =>
      client.platform.getIntegrationUses({ params: { botId, alias } }, { signal }),
  })
  return (
    <Confirm
      title={t.removeTitle(alias)}
      button={t.remove}
      name={alias}
      onConfirm={async () => {
        await client.admin.updateBot({
          params: { id: botId },
          body: { integrations: { [alias]: null } },
        })
        notifyDone(t.removed(alias))
        await queries.invalidateQueries({ queryKey: ['bots', botId] })
        await navigate({
          to: '/w/$workspaceId/bots/$botId/integrations',
          params: { workspaceId, botId },
        })
      }}
      onClose={onClose}
    >
      <Loaded query={query}>
        {(uses) => {
          const lines = [
            ...(uses.conversations > 0 ? [t.conversations(uses.conversations)] : []),
            ...(uses.users > 0 ? [t.users(uses.users)] : []),
            ...(uses.sandboxConversations > 0 ? [t.sandbox(uses.sandboxConversations)] : []),
            ...(uses.registerSchedule ? [t.schedule(uses.registerSchedule)] : []),
            ...uses.plugins.map(t.plugin),
            ...uses.references.map(t.reference),
          ]
          if (lines.length === 0) return <Text>{t.breaksNothing}</Text>
          return (
            <>
              <Text>{t.breaks}</Text>
              <ul className="foreign">
                {lines.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
    </Confirm>
  )
}
