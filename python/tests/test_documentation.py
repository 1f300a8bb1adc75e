"""Every public function has an example, which pytest runs as a doctest."""

import inspect

import evenfold as ef
from evenfold import nx


def documented():
    """The public functions and classes, and their methods and properties, by their names."""
    places = [(name, getattr(ef, name)) for name in ef.__all__]
    places += [("distributed.threads", ef.distributed.threads)]
    # What NetworkX asks of a backend itself is not for users.
    hooks = {"convert_from_nx", "convert_to_nx", "can_run", "should_run"}
    places += [(f"nx.{name}", getattr(nx, name)) for name in nx.__all__ if name not in hooks]
    for name, value in places:
        if inspect.ismodule(value):
            continue
        yield name, value
        for method, member in vars(value).items() if inspect.isclass(value) else ():
            is_method = inspect.isfunction(member) or isinstance(member, (classmethod, property))
            if is_method and not method.startswith("_"):
                yield f"{name}.{method}", member


def test_every_public_function_has_an_example():
    found = {name: inspect.getdoc(value) or "" for name, value in documented()}
    assert len(found) > 90
    assert [name for name, text in found.items() if ">>> " not in text] == []
