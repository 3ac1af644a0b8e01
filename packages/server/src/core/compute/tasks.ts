// Computations on input of tenants. A generator pauses after each few milliseconds, so that it can
// share its thread; other tasks run in a thread alone. Each loads its code with its first job.

const documents = () => import('./document-tasks.ts')
const drafts = () => import('./draft-tasks.ts')
const draftTexts = () => import('./draft-text-tasks.ts')
const imports = () => import('./import-tasks.ts')
const redaction = () => import('./redaction-tasks.ts')
const schemas = () => import('./schema-tasks.ts')
const vectors = () => import('./vector-tasks.ts')

export const tasks = {
  redact: async () => (await redaction()).redact,
  tryRules: async () => (await redaction()).tryRules,
  findRuleProblem: async () => (await redaction()).findRuleProblem,
  inspectDocument: async () => (await documents()).inspectDocument,
  compileDocument: async () => (await documents()).compileChecked,
  compileTests: async () => (await documents()).compileCheckedTests,
  findDocument: async () => (await documents()).findDocument,
  findChatGreetings: async () => (await documents()).findChatGreetings,
  findReferences: async () => (await documents()).findReferences,
  convertBot: async () => (await imports()).convertBot,
  mergeDraft: async () => (await drafts()).mergeDraft,
  writeDraft: async () => (await drafts()).writeDraft,
  readDraft: async () => (await drafts()).readDraft,
  editDraft: async () => (await drafts()).editDraft,
  readPart: async () => (await drafts()).readPart,
  listDraftTexts: async () => (await draftTexts()).listDraftTexts,
  editDraftTexts: async () => (await draftTexts()).editDraftTexts,
  findMismatch: async () => (await schemas()).findMismatch,
  rejectInvalidSchemas: async () => (await schemas()).rejectInvalidSchemas,
  clusterVectors: async () => (await vectors()).clusterVectors,
  findNearest: async () => (await vectors()).findNearest,
}

export type TaskName = keyof typeof tasks
type Task<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]>>
export type Input<Name extends TaskName> = Parameters<Task<Name>>[0]
type Result<Name extends TaskName> = ReturnType<Task<Name>>
export type Output<Name extends TaskName> =
  Result<Name> extends Iterator<void, infer Output> ? Output : Result<Name>
