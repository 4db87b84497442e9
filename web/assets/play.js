// Code is copied with one press; without this it can be selected.
for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break
  const label = button.textContent
  const say = (words) => {
    button.textContent = words
    setTimeout(() => (button.textContent = label), 2_000)
  }
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent).then(
      () => say('Copied'),
      () => say('Select it and copy'),
    )
  })
}
