// Part of connect.js: what is done in the live browser is recorded, and shown before anything of it is kept.
/** Takes what the gateway says of a recording. Returns a function that is true for such words. */
globalThis.recordsLive = (live, send) => {
  const bar = live.querySelector('[data-recording]')
  const screen = live.querySelector('.screen')
  const review = live.querySelector('[data-review]')
  const element = (name, text, className = '') =>
    Object.assign(document.createElement(name), { textContent: text, className })
  const button = (text, className, then) => {
    const one = Object.assign(element('button', text, className), { type: 'button' })
    one.addEventListener('click', () => {
      one.disabled = true
      then()
    })
    return one
  }
  const stop = bar.querySelector('[data-stop]')
  stop.addEventListener('click', () => {
    stop.disabled = true
    send({ type: 'stop' })
  })
  const show = ({ steps, literals, cut, left }) => {
    bar.hidden = true
    screen.hidden = true
    review.hidden = false
    const heading = element('h2', 'What would be kept')
    heading.tabIndex = -1
    const list = element('ol', '', 'steps')
    list.append(
      ...steps.map(({ method, address, fields, answer }) => {
        const line = element('li', '')
        line.append(element('code', `${method} ${address}`), ` ${answer}`)
        if (fields !== '') line.append(element('p', fields, 'hint mono'))
        return line
      }),
    )
    const parts = [heading, list]
    if (steps.length === 0)
      parts.push(
        element('p', 'Nothing was recorded: the app was asked nothing since the recording began.', 'notice warn'),
      )
    if (left > 0)
      parts.push(
        element('p', `Pages that ask for a password or a code are left out, and what they sent: ${left}.`, 'hint'),
      )
    if (cut)
      parts.push(
        element('p', 'It was too long: its end, or a large page, is not there. Record less at once.', 'notice warn'),
      )
    const ticks = literals.map(({ place, value }, at) => {
      const label = element('label', '', 'tick')
      const tick = Object.assign(document.createElement('input'), { type: 'checkbox', value: String(at) })
      const words = element('span', '')
      words.append(element('code', value), ` ${place}`)
      label.append(tick, words)
      return label
    })
    if (ticks.length > 0) {
      const set = document.createElement('fieldset')
      set.append(
        element(
          'legend',
          'Hidden, as nobody can tell whether they are secret. Tick what is the same for everybody, such as a kind or a public number:',
        ),
        ...ticks,
      )
      parts.push(set)
    }
    const released = () =>
      ticks
        .map((label) => label.querySelector('input'))
        .filter((tick) => tick.checked)
        .map((tick) => Number(tick.value))
    const row = element('p', '', 'row')
    row.append(
      button('Keep it', 'primary', () => send({ type: 'keep', released: released() })),
      button('Throw it away', 'quiet', () => send({ type: 'discard' })),
    )
    review.replaceChildren(...parts, row)
    heading.focus()
  }
  return (message) => {
    if (message.type === 'recording') {
      if (!review.hidden) return true
      bar.hidden = false
      bar.querySelector('strong').textContent = message.asks
        ? 'Not recorded: this page asks for a password or a code'
        : '● Recording what you do'
      live.querySelector('[data-said]').textContent = 'Recording. Do what is to become an endpoint, then stop.'
      return true
    }
    if (message.type !== 'review') return false
    show(message)
    return true
  }
}
