// A steady load, in the image of Callgate, until SIGTERM: load.mjs <id of a call that waits>. Reads and writes as fast as one key may, somebody who
// looks ten times a second, somebody who waits for a call's end. Then the calls are asked after. Its last line says what came of it; exit code 1: something
// was refused, or lost.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const host = 'http://localhost:8080'
const app = 'property-advertising'
const { key } = JSON.parse(readFileSync('/person/state.json', 'utf8'))
const [waiting] = process.argv.slice(2)
const seen = { asked: 0, slowest: 0, app: 0 }
/** What was not answered as it should be: when, what, how. */
const refused = []
const calls = []
let over = false
process.on('SIGTERM', () => (over = true))

async function ask(method, path, headers = {}, body = undefined) {
  const began = Date.now()
  seen.asked++
  try {
    const answer = await fetch(`${host}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    seen.slowest = Math.max(seen.slowest, path.includes('wait=') ? 0 : Date.now() - began)
    // The app of this proof is made of the same image, and is replaced, too: what it did not answer then, Callgate says.
    if (answer.status === 502 && text.includes('"app_error"')) seen.app++
    else if (!answer.ok) refused.push(`${new Date(began).toISOString()} ${method} ${path}: ${answer.status} ${text.slice(0, 200)}`)
    return { id: answer.headers.get('X-Request-Id'), status: answer.status, body: answer.ok && path.startsWith('/api') ? JSON.parse(text) : {} }
  } catch (error) {
    refused.push(`${new Date(began).toISOString()} ${method} ${path}: ${error.cause?.code ?? error.message}`)
    return { id: null, status: 0, body: {} }
  }
}

async function every(ms, act) {
  for (let i = 0; !over; i++) {
    const next = pause(ms)
    await act(i)
    await next
  }
}

/** Sixty calls a minute are a key's; each on a connection of its own. */
async function call(contact, i) {
  const alone = { Connection: 'close', Prefer: 'wait=50' }
  const made =
    i % 2 === 0
      ? await ask('POST', `/api/v1/${app}/list_contacts`, alone, {})
      : await ask('POST', `/api/v1/${app}/add_contact_note`, { ...alone, 'Idempotency-Key': `load-${Date.now()}` }, { contact_id: contact, note: `Note ${i}` })
  if (made.status === 200 || made.status === 202) calls.push(made)
}

const { body } = await ask('POST', `/api/v1/${app}/list_contacts`, {}, {})
const contact = body.contacts?.[0]?.contact_id
console.log('begun')
await Promise.all([
  every(1_300, (i) => call(contact, i)),
  every(1_000, () => ask('GET', '/api/v1/apps')),
  // Nobody counts how often it is asked for.
  every(100, () => ask('GET', '/assets/style.css', { Connection: 'close' })),
  every(100, () => ask('GET', `/api/v1/calls/${waiting}?wait=20`)),
])
// What was answered at once has happened; that it is known, is asked of the last ones.
const asked = [...calls.filter(({ status }) => status === 202), ...calls.slice(-40)]
const lost = []
for (const { id } of asked) {
  const end = (await ask('GET', `/api/v1/calls/${id}?wait=50`)).body.status
  if (end !== 'executed') lost.push(`${id}: ${end}`)
  await pause(600)
}
console.log(refused.slice(0, 20).join('\n'))
console.log(`${seen.asked} requests, ${refused.length} refused; ${calls.length} calls, ${lost.length} lost ${lost.slice(0, 5).join(' ')}; ${seen.app} while the app was away; slowest answer ${seen.slowest} ms`)
process.exitCode = Number(refused.length + lost.length > 0 || calls.length === 0)
