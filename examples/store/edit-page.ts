/** The page that edits a customer. Who comes second sees both texts, and decides. */
export const editPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Edit a customer</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 44rem; padding: 0 1rem; color: #222 }
  label { display: block; margin: .75rem 0 } input { font: inherit; width: 100%; box-sizing: border-box; padding: .4rem }
  button { font: inherit; padding: .4rem 1rem; margin-right: .5rem } [hidden] { display: none }
  table { border-collapse: collapse; width: 100% } td, th { border: 1px solid #ccc; padding: .4rem; text-align: left }
  .differs { background: #fff3cd } #conflict { border: 2px solid #b58900; padding: 0 1rem 1rem; margin-top: 1.5rem }
</style>
<h1>Edit a customer</h1>
<form id="form">
  <label>Name <input name="name" required></label>
  <label>Company <input name="company"></label>
  <label>Email <input name="email" type="email" required></label>
  <label>City <input name="city"></label>
  <button>Save</button> <output id="said"></output>
</form>
<section id="conflict" hidden>
  <h2>Somebody else has changed this customer</h2>
  <table><thead><tr><th></th><th>Yours</th><th>Stored now</th></tr></thead><tbody id="both"></tbody></table>
  <p><button id="mine">Keep mine</button><button id="theirs">Take theirs</button></p>
</section>
<script type="module">
  const [form, said, conflict, both] = ["form", "said", "conflict", "both"].map((id) => document.getElementById(id));
  const names = ["name", "company", "email", "city"];
  let tag, stored;
  const read = async () => {
    const answer = await fetch("card", { cache: "no-store" });
    tag = answer.headers.get("etag");
    stored = await answer.json();
  };
  const show = () => names.forEach((name) => { form.elements[name].value = stored[name] ?? ""; });
  const mine = () => Object.fromEntries(names.map((name) => [name, form.elements[name].value || null]));
  const save = async () => {
    const answer = await fetch("card", {
      method: "PUT",
      headers: { "content-type": "application/json", "if-match": tag },
      body: JSON.stringify(mine()),
    });
    if (answer.status === 412) return compare();
    conflict.hidden = true;
    const body = await answer.json();
    if (!answer.ok) { said.value = body.message; return; }
    tag = answer.headers.get("etag");
    stored = body;
    show();
    said.value = "Saved";
  };
  const compare = async () => {
    const own = mine();
    await read();
    said.value = "Not saved";
    both.replaceChildren(...names.map((name) => {
      const row = document.createElement("tr");
      row.className = own[name] === stored[name] ? "" : "differs";
      for (const text of [name, own[name], stored[name]]) row.insertCell().textContent = text ?? "";
      return row;
    }));
    conflict.hidden = false;
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); save(); });
  document.getElementById("mine").addEventListener("click", save);
  document.getElementById("theirs").addEventListener("click", () => { conflict.hidden = true; said.value = ""; show(); });
  await read();
  show();
</script>
</html>
`;
