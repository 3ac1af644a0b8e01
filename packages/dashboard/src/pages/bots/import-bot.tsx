// Imports a bot of another builder: reads its export, shows the report, and creates a bot with a draft.
// Nothing is published.
import { RequestError } from '@botstead/client'
import { Button, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useWorkspace } from '../../api/scope.ts'
import { toBytes } from '../../parts/files/bytes.ts'
import { FileDrop } from '../../parts/files/file-drop.tsx'
import { saveFile } from '../../parts/files/save-file.ts'
import { DialogForm } from '../../parts/forms/form-modal.tsx'
import { InputError } from '../../parts/forms/input-error.ts'
import { notifyDone } from '../../parts/notify.ts'
import { DocsLink } from '../../parts/objects/docs-link.tsx'
import { Failed } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { createDraft, readConversion } from './convert-bot.ts'

const t = texts.bots.builders

type Conversion = Awaited<ReturnType<typeof readConversion>>
type Report = Conversion['report']

interface ImportBotProps {
  /** Chosen already. */
  file: File | null
  /** Gets a file that needs no conversion. */
  onBot: (file: File) => void
  onClose: () => void
}

const needsNoConversion = (error: unknown) =>
  error instanceof RequestError &&
  (error.metadata as { fault?: unknown } | undefined)?.fault === 'ownDocument'

export function ImportBot({ file, onBot, onClose }: ImportBotProps) {
  const { workspaceId, client } = useWorkspace()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [typed, setTyped] = useState<string | null>(null)
  const reading = useMutation({
    mutationFn: (file: File) => readConversion(client, file),
    onMutate: () => setTyped(null),
    onError: (error, chosen) => needsNoConversion(error) && onBot(chosen),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the file once
  useEffect(() => {
    if (file) reading.mutate(file)
  }, [file])
  const report = reading.data?.report
  const name =
    typed ?? (report?.name || reading.variables?.name.replace(/\.[^.]*$/, '') || '')
  const creating = useMutation({
    mutationFn: async () => {
      if (!reading.data) throw new InputError(t.choose)
      return createDraft(client, name.trim(), reading.data.text)
    },
    onSuccess: async (bot) => {
      notifyDone(t.created(bot.name))
      await queries.invalidateQueries({ queryKey: ['bots', workspaceId] })
      const params = { workspaceId, botId: bot.id }
      await navigate({ to: '/w/$workspaceId/bots/$botId/flows', params })
    },
  })
  const choose = ([file]: Iterable<File>) => {
    if (!file || reading.isPending || creating.isPending) return
    creating.reset()
    reading.mutate(file)
  }
  return (
    <DialogForm
      action={creating}
      button={t.create}
      isReady={report !== undefined && name.trim() !== '' && !reading.isPending}
      onClose={onClose}
    >
      <FileDrop
        accept=".json,.yml,.yaml,.vf,.bpa,.tgz,.zip,.ts,.js,.py"
        isReading={reading.isPending}
        onFiles={choose}
        onDropped={({ files }) => choose(files)}
        isSingle
      >
        <Text {...(reading.variables && { fw: 600, className: 'foreign' })}>
          {reading.variables
            ? `${reading.variables.name}, ${toBytes(reading.variables.size)}`
            : t.drop}
        </Text>
        <Text size="sm" c="dimmed">
          {t.hint} <DocsLink page="moving-in">{t.docs}</DocsLink>
        </Text>
      </FileDrop>
      {reading.error && <Failed error={reading.error} />}
      {report && (
        <>
          <Findings report={report} />
          <Files files={reading.data?.files ?? {}} />
          <TextInput
            label={t.name}
            value={name}
            onChange={(event) => setTyped(event.currentTarget.value)}
            maxLength={200}
            required
          />
        </>
      )}
    </DialogForm>
  )
}

function Findings({ report }: { report: Report }) {
  const { source, counts, secrets, knowledge, remarks } = report
  return (
    <Stack gap="xs" role="region" aria-label={t.report}>
      <Text size="sm" role="status">
        {t.found(source, counts)}
      </Text>
      <Entries report={report} />
      <List title={t.secrets} items={secrets} />
      <List
        title={t.knowledge}
        items={knowledge.map(({ base, documents }) =>
          texts.common.labelled(base, documents.join(texts.common.comma)),
        )}
      />
      <List title={t.remarks} items={remarks} />
    </Stack>
  )
}

/** Texts of knowledge bases, to upload once they exist. */
const Files = ({ files }: Pick<Conversion, 'files'>) => (
  <Group gap="xs">
    {Object.entries(files).map(([path, text]) => (
      <Button
        key={path}
        size="compact-sm"
        variant="default"
        onClick={() => saveFile(path.replace(/^.*\//, ''), new Blob([text]))}
      >
        {t.save(path)}
      </Button>
    ))}
  </Group>
)

const order = ['omitted', 'changed', 'carried'] as const
const maxListed = 300

function Entries({ report: { entries } }: { report: Report }) {
  const sorted = order.flatMap((result) =>
    entries.filter((entry) => entry.result === result),
  )
  const numbered = sorted
    .slice(0, maxListed)
    .map((entry, index) => ({ ...entry, key: index }))
  return (
    <Table.ScrollContainer
      minWidth={420}
      mah={320}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, 'aria-label': t.parts, role: 'group' },
      }}
    >
      <Table aria-label={t.parts} fz="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.result}</Table.Th>
            <Table.Th>{t.part}</Table.Th>
            <Table.Th>{t.note}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {numbered.map(({ key, result, kind, name, place, note }) => (
            <Table.Tr key={key} style={{ verticalAlign: 'top' }}>
              <Table.Td>{t.results[result]}</Table.Td>
              <Table.Td className="foreign" style={{ overflowWrap: 'anywhere' }}>
                {name && name !== kind ? texts.common.labelled(kind, name) : kind}
                {place && (
                  <Text size="xs" c="dimmed">
                    {place}
                  </Text>
                )}
              </Table.Td>
              <Table.Td className="foreign">{note}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {sorted.length > maxListed && (
        <Text size="sm">{t.more(sorted.length - maxListed)}</Text>
      )}
    </Table.ScrollContainer>
  )
}

const List = ({ title, items }: { title: string; items: string[] }) =>
  items.length === 0 ? null : (
    <div>
      <Title order={3} size="h6">
        {title}
      </Title>
      {items.map((item) => (
        <Text
          key={item}
          size="sm"
          className="foreign"
          style={{ overflowWrap: 'anywhere' }}
        >
          {item}
        </Text>
      ))}
    </div>
  )
