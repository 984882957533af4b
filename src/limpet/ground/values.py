"""Frozen values declared by annotations: what ``dataclasses`` gives, without its 14 ms of import on the prompt path."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_options):
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class Value:
    """Base of every value: each annotation of the subclass is a field, an assignment beside it its default. Raises
    TypeError for a missing, surplus or unknown field and AttributeError on assignment."""

    fields: ClassVar[tuple[str, ...]] = ()
    defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        base: type[Value] = cls.__base__  # type: ignore[assignment]
        own, defaults = [], {**base.defaults}
        for name in cls.__annotations__:
            if name[0] != "_":
                own.append(name)
                if name in cls.__dict__:
                    defaults[name] = cls.__dict__[name]
        cls.fields, cls.defaults = (*base.fields, *own), defaults

    def __init__(self, *args: Any, **given: Any) -> None:
        values = {**self.defaults, **dict(zip(self.fields, args, strict=False)), **given}
        if len(values) != len(self.fields) or len(args) > len(self.fields):
            raise TypeError(_complaint(self, args, values))
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: use replace({name}=...)")

    def replace(self, **changes: Any) -> Self:
        return type(self)(**{**self.__dict__, **changes})

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *(self.__dict__[name] for name in self.fields)))

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self.fields)
        return f"{type(self).__name__}({inside})"


def _complaint(value: Value, args: tuple[object, ...], given: dict[str, object]) -> str:
    fields = value.fields
    missing = [name for name in fields if name not in given]
    unknown = [name for name in given if name not in fields]
    return f"{type(value).__name__}: missing {missing}, unknown {unknown}, {len(args)} positional for {len(fields)}"
