// The audit log: search, verification, export.

import { operationNames } from 'virtual:operation-names'
import type { AuditEntry } from '@botstead/contract'
import { Alert, Button, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { usePages } from '../../api/pages.ts'
import { useWorkspace } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { notifyFailed } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { exportEntries } from './audit-export.ts'

export function AuditPage() {
  if (useMay()('audit.read')) return <AuditLog />
  return (
    <Page title={texts.audit.title}>
      <Empty title={texts.common.errors.forbidden} />
    </Page>
  )
}

function AuditLog() {
  const { workspaceId, client } = useWorkspace()
  const [search, setSearch] = useFilter('search')
  const query = usePages(['audit', workspaceId, search], (page, options) =>
    client.platform.listAuditEntries(
      { query: { ...(search && { search }), ...page } },
      options,
    ),
  )
  const { data, hasNextPage, isFetching, fetchNextPage } = query
  const isSearching =
    hasNextPage && data?.pages.every(({ entries }) => entries.length === 0)
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage()
  }, [isSearching, isFetching, fetchNextPage])
  const verify = useMutation({ mutationFn: () => client.platform.verifyAudit() })
  const isReader = useMay()('audit.read')
  return (
    <Page
      title={texts.audit.title}
      actions={
        isReader && (
          <>
            <Button
              variant="default"
              loading={verify.isPending}
              onClick={() => verify.mutate()}
            >
              {texts.audit.verify}
            </Button>
            <Export search={search} />
          </>
        )
      }
      fills
    >
      <VerifyResult result={verify.data} error={verify.error} onClose={verify.reset} />
      {isReader && <Search value={search ?? ''} onChange={setSearch} />}
      {isSearching ? (
        <Loading />
      ) : (
        <RowList
          label={texts.audit.title}
          query={query}
          getRows={({ entries }) => entries}
          getKey={({ number }) => String(number)}
          columns={columns}
          empty={
            <Empty
              title={texts.audit.empty}
              {...(search && { hint: texts.audit.emptyHint })}
            />
          }
        />
      )}
    </Page>
  )
}

function Search({
  value,
  onChange,
}: {
  value: string
  onChange: (value: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const [settled] = useDebouncedValue(typed, 300)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the text settles
  useEffect(() => {
    if (settled !== value) onChange(settled)
  }, [settled])
  return (
    <TextInput
      type="search"
      aria-label={texts.audit.search}
      placeholder={texts.audit.searchHint}
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}

/** Sign-ins and entries of newer servers are no operations of this version. */
const toName = (operation: string) =>
  texts.audit.operations[operation] ?? operationNames[operation] ?? operation

/** An object without a name is named by its kind, which its id begins with. */
function toTarget({ presentName, targetName, targetId }: AuditEntry): string {
  const [prefix = ''] = targetId?.split('_') ?? []
  return presentName ?? targetName ?? texts.audit.kinds[prefix] ?? targetId ?? ''
}

const columns: Column<AuditEntry>[] = [
  {
    title: texts.audit.operation,
    width: 'minmax(0, 2fr)',
    fullLine: true,
    cell: (entry) => {
      const { operation, action, result } = entry
      return (
        <>
          <Text size="sm" fw={500} className="one-line" title={operation}>
            {toName(operation)} {action === 'DEPLOY_BOT' && `(${texts.audit.deployment})`}{' '}
            {result !== 'done' && `(${texts.audit.results[result]})`}
          </Text>
          <Text
            size="xs"
            c="dimmed"
            className="one-line foreign"
            title={entry.targetId ?? ''}
          >
            {toTarget(entry)}
          </Text>
        </>
      )
    },
  },
  {
    title: texts.audit.by,
    width: 'minmax(0, 1.5fr)',
    cell: ({ email, accountId }) => (
      <Text size="sm" className="one-line foreign">
        {email ?? accountId}
      </Text>
    ),
  },
  {
    title: texts.audit.from,
    width: '140px',
    wideOnly: true,
    cell: ({ ip }) => <Text size="sm">{ip}</Text>,
  },
  {
    title: texts.audit.at,
    width: '100px',
    cell: ({ recordedAt }) => <Moment at={recordedAt} />,
  },
]

interface VerifyResultProps {
  result: (Verification & { whole: boolean }) | undefined
  error: Error | null
  onClose: () => void
}

function VerifyResult({ result, error, onClose }: VerifyResultProps) {
  if (!result && !error) return null
  return (
    <Alert
      role="status"
      color={result?.whole ? 'pine' : 'red'}
      withCloseButton
      closeButtonLabel={texts.common.close}
      onClose={onClose}
      style={{ flexShrink: 0 }}
    >
      {error && <Failed error={error} />}
      {result && <Verified {...result} />}
    </Alert>
  )
}

interface Verification {
  checked: number
  last?: { number: number; hash: string }
  fault?: { number: number; reason: string }
}

function Verified({ checked, last, fault }: Verification) {
  if (fault)
    return texts.audit.fault(
      fault.number,
      texts.audit.faults[fault.reason] ?? fault.reason,
    )
  return (
    <>
      <Text size="sm">{texts.audit.whole(checked)}</Text>
      {last && (
        <>
          <Text size="sm">{texts.audit.anchor}</Text>
          <CopyField value={`${last.number}:${last.hash}`} />
        </>
      )}
    </>
  )
}

function Export({ search }: { search: string | undefined }) {
  const { client } = useWorkspace()
  const [count, setCount] = useState(0)
  const run = useMutation({
    mutationFn: () => exportEntries(client, search, setCount),
    onError: notifyFailed,
  })
  return (
    <Button variant="default" disabled={run.isPending} onClick={() => run.mutate()}>
      {run.isPending ? texts.audit.exporting(count) : texts.audit.export}
    </Button>
  )
}
