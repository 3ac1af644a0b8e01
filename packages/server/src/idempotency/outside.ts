// Operations whose effect is not only in the database, so that it cannot be committed together with the answer. Their key is claimed first and
// the answer written afterwards: a process that dies in between leaves the claim to whoever repeats the request, and that does it again.
export const outside: Record<string, string> = {
  'runtime.callAction': 'waits for code that calls back, and would wait for what this request holds; what it has done elsewhere cannot be undone',
}
