// The form of a JSON Schema. Its library is a quarter of a page's scripts: loaded when it is shown first.
import { lazily } from '../lazily.tsx'
import { Loading } from '../states.tsx'

const load = async () => (await import('./schema-form.tsx')).SchemaForm

export const SchemaForm = lazily(load, <Loading />)

/** Loads the form beside the first requests of a page that shows one. The form itself reports a failure. */
export const preloadSchemaForm = () => void load().catch(() => {})
