// Warnings of the scripts and the code of an integration, from its log.
import type { Client } from '@botstead/client'

/** Returns the warnings of the latest deployment, in their order. */
export async function listIntegrationWarnings(
  { admin }: Client,
  { id, updatedAt }: { id: string; updatedAt: string },
): Promise<string[]> {
  const { logs } = await admin.getIntegrationLogs({
    params: { id },
    query: { timeStart: updatedAt },
  })
  return logs
    .map(({ message }) => message)
    .filter((message) =>
      /^`[\w.]+`, line \d|^This version was deployed, but/.test(message),
    )
    .reverse()
}
