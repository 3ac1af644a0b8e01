// Operations whose effect is not only in the database, so that it cannot be committed together with the answer, or with its audit record. Where they
// take an idempotency-key, it is claimed first and the answer written afterwards: a process that dies in between leaves the claim to whoever repeats the request, and that does it again.
export const outside: Record<string, string> = {
  'runtime.callAction':
    'waits for code that calls back, and would wait for what this request holds; what it has done elsewhere cannot be undone',
  'files.copyFile': 'copies content, for longer than a transaction may stand still',
  'admin.updateBot': 'answers with how registering went, for which code is called that calls back',
  'admin.deleteAccount': 'deletes workspaces, see there',
  'admin.deleteWorkspace': 'bots stop and integrations are told first',
  'admin.deleteBot': 'integrations are told before, while the bot is still there, and may call back',
}
