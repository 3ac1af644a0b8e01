// Types of schema.js, for its tests.
import type { Database } from '../packages/server/src/core/db/database.ts'

export const schemaPath: string
export function generateSchema(): Promise<string>
export function isSchemaCurrent(text?: string, migrationsFolder?: URL): Promise<boolean>
export function schemaOf(database: Database): Promise<string>
