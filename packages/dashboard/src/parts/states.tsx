// What a page shows instead of content or above it: empty, failed, forbidden, deleted.
import { RequestError, Unreachable } from '@botstead/client'
import { Alert, Button, Center, Loader, Stack, Text, Title } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { DocumentProblems } from './files/document-problems.tsx'
import {
  type DocumentProblem,
  DocumentRejected,
  InputError,
} from './forms/input-error.ts'
import { hasOtherVersion, isMissingFile } from './missing-file.ts'
import { CodedText } from './texts/coded-text.tsx'

interface EmptyProps {
  title: string
  hint?: ReactNode
  action?: ReactNode
}

export function Empty({ title, hint, action }: EmptyProps) {
  return (
    <Center mih={200} p="md">
      <Stack align="center" gap="xs" maw={420} ta="center">
        <Title order={2} size="h4">
          {title}
        </Title>
        {hint && (
          <Text c="dimmed" size="sm" component="div">
            {hint}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}

/** In place of content with a file that the server does not have. Trying again without a reload cannot help. */
export function MissingFile() {
  const { outdated } = texts.common
  const [isOutdated, setOutdated] = useState(false)
  useEffect(() => {
    hasOtherVersion().then(setOutdated, () => {})
  }, [])
  return (
    <div role="alert">
      <Empty
        title={isOutdated ? outdated.title : outdated.missing}
        hint={isOutdated ? outdated.hint : outdated.missingHint}
        action={<Button onClick={() => location.reload()}>{outdated.reload}</Button>}
      />
    </div>
  )
}

/** With `retry`, in place of content that could not be loaded; without, beside a failed action. */
export function Failed({
  error,
  retry,
}: {
  error: unknown
  retry?: (() => void) | undefined
}) {
  if (isMissingFile(error)) return <MissingFile />
  const { title, hint } = retry ? explainPage(error) : explain(error)
  const problems = findProblems(error)
  const reason =
    problems.length > 1 || error instanceof DocumentRejected ? (
      <DocumentProblems problems={problems} />
    ) : (
      hint && <CodedText text={hint} />
    )
  if (!retry)
    return (
      <Alert role="alert" color="red" title={title} className="foreign">
        {reason}
      </Alert>
    )
  const isFinal = error instanceof RequestError && [403, 404, 410].includes(error.status)
  return (
    <div role="alert">
      <Empty
        title={title}
        hint={reason}
        action={
          !isFinal && (
            <Button variant="default" onClick={retry}>
              {texts.common.retry}
            </Button>
          )
        }
      />
    </div>
  )
}

/** The problems of a document that the server rejected. */
function findProblems(error: unknown): DocumentProblem[] {
  if (error instanceof DocumentRejected) return error.problems
  const { problems } = ((error as { metadata?: unknown }).metadata ?? {}) as {
    problems?: DocumentProblem[]
  }
  return Array.isArray(problems) ? problems : []
}

/** Pages read their content again by themselves; actions do not. */
const explainPage = (error: unknown) =>
  error instanceof Unreachable
    ? {
        title: texts.common.errors.unreachable,
        hint: texts.common.errors.unreachablePage,
      }
    : explain(error)

/** Returns the sentences for an error. Errors of the server carry their own. */
export function explain(error: unknown): { title: string; hint?: string } {
  const { errors } = texts.common
  if (error instanceof Unreachable)
    return { title: errors.unreachable, hint: errors.unreachableHint }
  if (isMissingFile(error))
    return {
      title: texts.common.outdated.missing,
      hint: texts.common.outdated.missingHint,
    }
  if (error instanceof InputError)
    return { title: error.message, ...(error.hint && { hint: error.hint }) }
  if (!(error instanceof RequestError))
    return {
      title: errors.broken,
      hint: error instanceof Error ? error.message : String(error),
    }
  if (error.status === 403) return { title: errors.forbidden, hint: error.message }
  if (error.status === 404) return { title: errors.gone, hint: errors.goneHint }
  const reference =
    error.status >= 500 && error.id ? ` ${errors.reference(error.id)}` : ''
  return { title: errors.failed, hint: withoutField(error.message) + reference }
}

/** The server names a document by the field `botJson`, also that of a version, and a file by `content`. */
const withoutField = (message: string) =>
  message.replace(/^(?:botJson(?=\/)|`content`: )/, '')

/** Whether the object does not exist, or the account has no access to it. */
export const isMissing = (error: unknown) =>
  error instanceof RequestError && error.status === 404

/** Whether the object was deleted while the page showed it. */
export const wasDeleted = ({
  data,
  error,
}: Pick<QueryState<unknown>, 'data' | 'error'>) => data !== undefined && isMissing(error)

/** Returns one sentence for an error: that of the server, if it has one. */
export function toReason(error: unknown): string {
  const { title, hint } = explain(error)
  return error instanceof Unreachable ? title : (hint ?? title)
}

/** Whether an alert above has the reason already. */
const Explained = createContext(false)

/** Content that the server may no longer return: it was deleted, or the role has changed. */
export function Kept({ error, children }: { error: unknown; children: ReactNode }) {
  const isExplained = useContext(Explained)
  const isOutdated = error instanceof RequestError && [403, 404].includes(error.status)
  const { forbidden, deleted, deletedHint } = texts.common.errors
  return (
    <>
      {isOutdated && !isExplained && (
        <Alert
          role="alert"
          color="red"
          title={error.status === 404 ? deleted : forbidden}
          mb="sm"
        >
          {deletedHint}
        </Alert>
      )}
      <Explained value={isOutdated || isExplained}>{children}</Explained>
    </>
  )
}

export function Loading() {
  return (
    <Center mih={200}>
      <Loader role="img" aria-label={texts.common.loading} />
    </Center>
  )
}

interface QueryState<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

/** Shows the content of a query, or its state. Data that arrived once stays in a later failure. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: QueryState<Data>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined)
    return <Kept error={query.error}>{children(query.data)}</Kept>
  return query.error ? (
    <Failed error={query.error} retry={() => void query.refetch()} />
  ) : (
    <Loading />
  )
}
