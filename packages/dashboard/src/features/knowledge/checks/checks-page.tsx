// Questions with the answer that a person expects: run them, and see what got better and worse.
import type { KnowledgeCheck } from '@botstead/contract'
import { ActionIcon, Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePages } from '../../../api/pages.ts'
import { useBot } from '../../../api/scope.ts'
import { useMay } from '../../../api/session.ts'
import { IconPencil, IconPlus, IconTrash } from '../../../icons/icons.tsx'
import { saveFile } from '../../../parts/files/save-file.ts'
import { notifyFailed } from '../../../parts/notify.ts'
import { FileLink } from '../../../parts/objects/object-links.tsx'
import { Page } from '../../../parts/page.tsx'
import { type Column, RowList } from '../../../parts/row-list.tsx'
import { Empty } from '../../../parts/states.tsx'
import { scoreText } from '../../../parts/texts/score.ts'
import { texts } from '../../../texts/texts.ts'
import { toName } from '../bases.ts'
import { writeChecks } from './checks-file.ts'
import { EditCheck } from './edit-check.tsx'
import { ImportChecks } from './import-checks.tsx'

const t = texts.checks

export function ChecksPage() {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const mayWrite = useMay()('knowledge.write')
  const key = ['knowledgeChecks', botId]
  const query = usePages(key, (page, options) =>
    client.platform.listKnowledgeChecks({ query: { pageSize: 200, ...page } }, options),
  )
  const run = useMutation({
    mutationFn: () => client.platform.runKnowledgeChecks({ body: {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
    onError: notifyFailed,
  })
  const hasChecks =
    query.data?.pages.some(({ knowledgeChecks }) => knowledgeChecks.length > 0) ?? false
  const actions = (
    <>
      <FileActions hasChecks={hasChecks} mayWrite={mayWrite} />
      {mayWrite && hasChecks && (
        <Button loading={run.isPending} onClick={() => run.mutate()}>
          {t.run}
        </Button>
      )}
    </>
  )
  return (
    <Page title={t.title} docs="files-and-knowledge" actions={actions} fills>
      <Text size="sm" c="dimmed">
        {t.hint}
      </Text>
      {run.data && <Summary {...run.data} />}
      <RowList
        label={t.title}
        query={query}
        getRows={getChecks}
        getKey={({ id }) => id}
        columns={mayWrite ? [...facts, actionsColumn] : facts}
        empty={<Empty title={t.empty} hint={mayWrite ? t.emptyHint : t.emptyReader} />}
      />
    </Page>
  )
}

interface FileActionsProps {
  hasChecks: boolean
  mayWrite: boolean
}

/** Export, import, and a new check. */
function FileActions({ hasChecks, mayWrite }: FileActionsProps) {
  const { client } = useBot()
  const [opened, setOpened] = useState<'add' | 'import' | null>(null)
  const close = () => setOpened(null)
  const download = useMutation({
    mutationFn: () => writeChecks(client),
    onSuccess: (text) => saveFile(t.file, new Blob([text], { type: 'application/yaml' })),
    onError: notifyFailed,
  })
  return (
    <>
      {hasChecks && (
        <Button
          variant="default"
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {t.export}
        </Button>
      )}
      {mayWrite && (
        <>
          <Button variant="default" onClick={() => setOpened('import')}>
            {t.import}
          </Button>
          <Button
            variant={hasChecks ? 'default' : 'filled'}
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() => setOpened('add')}
          >
            {t.add}
          </Button>
        </>
      )}
      {opened === 'add' && <EditCheck onClose={close} />}
      {opened === 'import' && <ImportChecks onClose={close} />}
    </>
  )
}

const getChecks = ({ knowledgeChecks }: { knowledgeChecks: KnowledgeCheck[] }) =>
  knowledgeChecks

interface SummaryProps {
  passed: number
  failed: number
  better: string[]
  worse: string[]
}

const Summary = ({ passed, failed, better, worse }: SummaryProps) => (
  <Text size="sm" fw={600} role="status">
    {t.summary(passed, failed, better.length, worse.length)}
  </Text>
)

type FoundText = NonNullable<KnowledgeCheck['result']>['found']

const facts: Column<KnowledgeCheck>[] = [
  {
    title: t.question,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: ({ question, ...check }) => (
      <>
        <Text size="sm" className="foreign" lineClamp={2}>
          {question}
        </Text>
        <Text size="xs" c="dimmed" className="foreign" lineClamp={2}>
          {texts.common.labelled(t.expected, describeExpectation(check))}
        </Text>
      </>
    ),
  },
  { title: t.result, width: '110px', cell: (check) => <Result check={check} /> },
  {
    title: t.found,
    width: 'minmax(0, 3fr)',
    cell: ({ result }) => result && <Found found={result.found} />,
  },
]

const describeExpectation = ({
  expectedFile,
  expectedText,
}: Pick<KnowledgeCheck, 'expectedFile' | 'expectedText'>) =>
  [expectedFile, expectedText && t.quoted(expectedText)]
    .filter(Boolean)
    .join(texts.common.comma)

function Result({ check: { result, previousResult } }: { check: KnowledgeCheck }) {
  if (!result)
    return (
      <Text size="sm" c="dimmed">
        {t.notRun}
      </Text>
    )
  const { passed } = result
  const isChanged = previousResult !== undefined && previousResult.passed !== passed
  return (
    <>
      <Badge variant="outline" color={passed ? 'pine' : 'red'}>
        {passed ? t.passed : t.failed}
      </Badge>
      {isChanged && <Text size="xs">{passed ? t.better : t.worse}</Text>}
    </>
  )
}

function Found({ found }: { found: FoundText | undefined }) {
  if (!found)
    return (
      <Text size="sm" c="dimmed">
        {t.nothing}
      </Text>
    )
  const { fileId, fileKey, score, text } = found
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        {fileId && fileKey ? (
          <FileLink id={fileId}>{toName(fileKey)}</FileLink>
        ) : (
          <Text size="sm">{t.curatedAnswer}</Text>
        )}
        {score !== undefined && (
          <Text size="xs" c="dimmed">
            {scoreText(score)}
          </Text>
        )}
      </Group>
      <Text size="xs" c="dimmed" className="foreign" lineClamp={1} title={text}>
        {text}
      </Text>
    </>
  )
}

const actionsColumn: Column<KnowledgeCheck> = {
  title: texts.knowledge.actions,
  width: '84px',
  cell: (check) => (
    <Group gap={4} wrap="nowrap">
      <EditButton check={check} />
      <DeleteButton check={check} />
    </Group>
  ),
}

function EditButton({ check }: { check: KnowledgeCheck }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t.editOne(check.question)}
        onClick={() => setOpen(true)}
      >
        <IconPencil size={16} aria-hidden="true" />
      </ActionIcon>
      {isOpen && <EditCheck check={check} onClose={() => setOpen(false)} />}
    </>
  )
}

function DeleteButton({ check: { id, question } }: { check: KnowledgeCheck }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.platform.deleteKnowledgeCheck({ params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['knowledgeChecks', botId] }),
    onError: notifyFailed,
  })
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t.deleteOne(question)}
      loading={remove.isPending}
      onClick={() => remove.mutate()}
    >
      <IconTrash size={16} aria-hidden="true" />
    </ActionIcon>
  )
}
