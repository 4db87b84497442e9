// A passkey is asked for between two posts of a form: the first fetches what to ask with, the second brings what was signed.
const able =
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

const reasons = {
  NotAllowedError: 'Nothing was done: the question was closed, or it took too long.',
  InvalidStateError: 'This device has a passkey for this account already.',
  SecurityError: 'Passkeys work only at the address at which the gateway is set up.',
}

class Refused extends Error {}

/** A button with a name says which of several things its form does. */
const fieldsOf = (form, { name, value }) => {
  const fields = new FormData(form)
  if (name) fields.set(name, value)
  return new URLSearchParams(fields)
}

const optionsFor = async (form, button) => {
  const answer = await fetch(`${form.dataset.options ?? form.getAttribute('action')}/options`, {
    method: 'POST',
    body: fieldsOf(form, button),
  })
  const told = answer.headers.get('content-type')?.startsWith('application/json') ? await answer.json() : {}
  if (!answer.ok) throw new Refused(told.problem ?? 'This page was open for too long. Load it again, please.')
  return told
}

const use = async (form, button, more) =>
  navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(await optionsFor(form, button)),
    ...more,
  })
const ask = {
  use,
  approve: use,
  add: async (form, button) =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(await optionsFor(form, button)),
    }),
}

const send = (form, button, credential) => {
  if (button.name) {
    const said = document.createElement('input')
    Object.assign(said, { type: 'hidden', name: button.name, value: button.value })
    form.append(said)
  }
  form.elements.namedItem(form.dataset.field ?? 'credential').value = JSON.stringify(credential.toJSON())
  // It is checked and signed: no second question, and nothing that is typed but not asked for goes along.
  form.elements.namedItem('password')?.setAttribute('disabled', '')
  form.submit()
}

for (const form of able ? document.querySelectorAll('form[data-passkey]') : []) {
  const kind = form.dataset.passkey
  const problem = form.querySelector('[data-problem]')
  const button = form.querySelector(kind === 'approve' ? '[value="approve"]' : 'button')
  let offered = new AbortController()
  form.hidden = false
  document.querySelector('[data-no-passkey]')?.setAttribute('hidden', '')

  form.addEventListener('submit', (event) => {
    // Rejecting needs none.
    if (kind === 'approve' && event.submitter !== button) return
    event.preventDefault()
    if (!button.disabled) void go()
  })
  const go = async () => {
    button.disabled = true
    problem.hidden = true
    offered.abort()
    try {
      send(form, button, await ask[kind](form, button))
    } catch (error) {
      problem.textContent =
        error instanceof Refused ? error.message : (reasons[error.name] ?? 'That did not work. Please try again.')
      problem.hidden = false
      button.disabled = false
      if (kind === 'use') void offer()
    }
  }

  // Where the browser can, passkeys are among what it offers for the email field; where there is no such field, it has no place to offer them.
  const offer = async () => {
    if (!document.querySelector('[autocomplete~="webauthn"]')) return
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    offered = new AbortController()
    try {
      send(form, button, await ask.use(form, button, { mediation: 'conditional', signal: offered.signal }))
    } catch {
      // Nobody asked for it, so nobody is told: the button and the password are still there.
    }
  }
  if (kind === 'use') void offer()
}
